"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { ApiError } from "#components/api.ts";
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

type Added = { id: string; name: string; created: boolean };

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
  add: (fields: Record<string, string>) => Promise<Added>;
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
  const [problem, setProblem] = useState<(Problem & { field: string | null }) | null>(null);
  const [busy, setBusy] = useState(false);
  const router = useRouter();
  const queries = useQueryClient();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));
    if (!identifiers.some((name) => name in filled))
      return setProblem({ field: identifiers[0] ?? null, message: missing });
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
      setProblem({ field: fieldOf(error, fields), ...problemOf(error) });
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
                error={problem?.field === name ? problem.message : undefined}
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
              problem={fields.some(({ name }) => name === problem?.field) ? null : problem}
            />
          </DialogBody>
          <DialogSubmit label={action} busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** The field that the error is about. */
function fieldOf(error: unknown, fields: readonly AddField[]): string | null {
  if (!(error instanceof ApiError)) return null;
  const named = String(error.extras.parameter ?? error.code.replace(/^invalid_/, ""));
  return fields.find(({ name }) => name === named)?.name ?? null;
}
