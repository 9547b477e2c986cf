"use client";

import { CircleCheck } from "lucide-react";
import { type FormEvent, useState } from "react";
import { ApiError } from "#components/api.ts";
import { problemOf } from "#components/records/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { useConnect, useTest } from "./calls.ts";
import { AddressWarning, Warning } from "./connection-state.tsx";
import type { ConnectDialogProps } from "./integration-card.tsx";

/** `about`: the key is wrong, or there was no way to ask about it. */
type Problem = { about: "key" | "way"; said: string };

const problemWith = (error: unknown): Problem => {
  const away = error instanceof ApiError && (error.code === "provider_unavailable" || error.code === "offline");
  return { about: away ? "way" : "key", said: problemOf(error).message };
};

type KeyDialogProps = ConnectDialogProps & {
  /** the credential's field in the API, and what people call it */
  field: string;
  label: string;
  noun: string;
  placeholder: string;
  /** Where the provider shows it. */
  where: string;
  /** What happens when it is saved. */
  consequence: string;
};

/** Paste the key, test it, see whose account it is, save. Only a key that was tested can be saved. */
export function KeyDialog({
  workspaceId,
  integration,
  onClose,
  field,
  label,
  noun,
  placeholder,
  where,
  consequence,
}: KeyDialogProps) {
  const [key, setKey] = useState("");
  const [tested, setTested] = useState<{ key: string; account: string | null } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const test = useTest(workspaceId);
  const connect = useConnect(workspaceId);
  const { provider, display_name: name } = integration;

  const input = { provider, credentials: { [field]: key.trim() } };
  const isTested = tested !== null && tested.key === key.trim();

  async function runTest() {
    if (key.trim() === "") return setProblem({ about: "key", said: `Paste the ${noun} first.` });
    setProblem(null);
    setTested(null);
    try {
      const { account } = await test.mutateAsync(input);
      setTested({ key: key.trim(), account });
    } catch (error) {
      setProblem(problemWith(error));
    }
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (test.isPending || connect.isPending) return;
    if (!isTested) return runTest();
    try {
      const { message, connection } = await connect.mutateAsync(input);
      if (connection.webhook_status === "failed") toast.warning(message);
      else toast.success(message);
      onClose();
    } catch (error) {
      setProblem(problemWith(error));
    }
  }

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title={integration.connected ? `Change the key of ${name}` : `Connect ${name}`}
        description={`${where} It is kept encrypted and never shown again.`}
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <AddressWarning integration={integration} />
            <Field label={label} error={problem?.about === "key" ? problem.said : undefined} required>
              <Input
                type="password"
                value={key}
                onChange={(event) => {
                  setKey(event.target.value);
                  setProblem(null);
                }}
                placeholder={placeholder}
                autoComplete="off"
                spellCheck={false}
                data-1p-ignore
              />
            </Field>
            <div role="status" className="empty:hidden">
              {problem?.about === "way" ? <Warning>{problem.said}</Warning> : null}
              {isTested ? (
                <p className="flex items-start gap-2 rounded-md bg-success-soft px-3 py-2 text-sm text-success-text">
                  <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
                  <span className="wrap-anywhere">
                    The key works. It belongs to <strong>{tested.account ?? "this account"}</strong>.
                  </span>
                </p>
              ) : null}
            </div>
            <p className="text-muted-foreground text-sm">{consequence}</p>
          </DialogBody>
          <DialogSubmit label="Save" disabled={!isTested} busy={connect.isPending}>
            {/* Until the key is tested, Enter tests it: a disabled button submits nothing. */}
            <Button
              type={isTested ? "button" : "submit"}
              loading={test.isPending}
              disabled={connect.isPending}
              onClick={isTested ? () => void runTest() : undefined}
            >
              Test connection
            </Button>
          </DialogSubmit>
        </form>
      </DialogContent>
    </Dialog>
  );
}
