"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { ApiError, fieldProblems } from "#components/api.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type Problem, problemOf } from "./problem.ts";
import { Refusal } from "./refusal.tsx";

type AddField = {
  name: string;
  label: string;
  type?: "email" | "url" | "tel" | "text";
  hint?: string;
  half?: boolean;
};

type NewRecord = { id: string; name: string; created: boolean };

type AddFormProps = {
  workspaceId: string;
  listId: "people" | "companies" | "leads";
  title: string;
  /** What the button says; default: the title. */
  action?: string;
  description: string;
  fields: readonly AddField[];
  /** At least one of these names must be filled in. */
  identifiers: readonly string[];
  missing: string;
  add: (fields: Record<string, string>) => Promise<NewRecord>;
  onClose: () => void;
};

/** Adds a record by its identifiers; an existing one is completed and opened instead. */
export function AddForm({
  workspaceId,
  listId,
  title,
  action = title,
  description,
  fields,
  identifiers,
  missing,
  add,
  onClose,
}: AddFormProps) {
  const [values, setValues] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<(Problem & { fields: Readonly<Record<string, string>> }) | null>(null);
  const [busy, setBusy] = useState(false);
  const router = useRouter();
  const queries = useQueryClient();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));
    if (!identifiers.some((name) => name in filled))
      return setProblem({ fields: identifiers[0] ? { [identifiers[0]]: missing } : {}, message: missing });
    setProblem(null);
    setBusy(true);
    try {
      const { id, name, created } = await add(filled);
      void queries.invalidateQueries({ queryKey: [listId, workspaceId] });
      const open = () => router.push(`/${workspaceId}/accounts/${id}`);
      toast.success(created ? `${name} is added.` : `${name} was there already and is up to date.`, {
        action: { label: "Open", onClick: open },
      });
      onClose();
    } catch (error) {
      setProblem({ fields: messagesOf(error, fields), ...problemOf(error) });
      setBusy(false);
    }
  }

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent title={title} description={description}>
        <form onSubmit={submit} noValidate>
          <DialogBody className="grid grid-cols-2">
            {fields.map(({ name, label, type = "text", hint, half }) => (
              <Field
                key={name}
                label={label}
                className={half ? "max-sm:col-span-2" : "col-span-2"}
                {...(hint ? { hint } : {})}
                error={problem?.fields[name]}
              >
                <Input
                  type={type === "url" ? "text" : type}
                  inputMode={type}
                  value={values[name] ?? ""}
                  onChange={(event) => setValues({ ...values, [name]: event.target.value })}
                  autoComplete="off"
                  spellCheck={false}
                />
              </Field>
            ))}
            <Refusal
              className="col-span-2"
              problem={problem && Object.keys(problem.fields).length > 0 ? null : problem}
            />
          </DialogBody>
          <DialogSubmit label={action} busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** What the error says of each field. */
function messagesOf(error: unknown, fields: readonly AddField[]): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const names = fields.map(({ name }) => name);
  const about = fieldProblems(error).filter(({ parameter }) => names.includes(parameter));
  return Object.fromEntries(about.map(({ parameter, message }) => [parameter, message]));
}
