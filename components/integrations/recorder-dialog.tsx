"use client";

import { useState } from "react";
import { useSubmit } from "#components/records/use-submit.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { useConnect } from "./calls.ts";
import { AddressWarning } from "./connection-state.tsx";
import type { ConnectDialogProps } from "./integration-card.tsx";

/** The address is entered at the provider, its secret here. */
export function RecorderDialog({ workspaceId, integration, onClose }: ConnectDialogProps) {
  const [secret, setSecret] = useState("");
  const connect = useConnect(workspaceId);
  const { provider, display_name: name, webhook_url } = integration;

  const { submit, busy, problem, setProblem } = useSubmit(async (refuse) => {
    if (secret.trim() === "") return refuse(`Paste the signing secret that ${name} shows.`);
    const { message } = await connect.mutateAsync({ provider, credentials: { signing_secret: secret.trim() } });
    toast.success(message);
    onClose();
  });

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title={integration.connected ? `Change the secret of ${name}` : `Connect ${name}`}
        description={`${name} delivers each recording to this workspace, signed with a secret that it shows you.`}
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            <AddressWarning integration={integration} />
            <div className="flex flex-col gap-1.5">
              <p className="text-sm">
                1. In {name}, under Settings, API Access, add a webhook with this address. Let it include the summary.
              </p>
              <CodeBlock code={webhook_url ?? ""} wrap />
            </div>
            <Field
              label="2. Signing secret"
              hint="Kept encrypted and never shown again."
              error={problem ?? undefined}
              required
            >
              <Input
                autoFocus
                type="password"
                value={secret}
                onChange={(event) => {
                  setSecret(event.target.value);
                  setProblem(null);
                }}
                placeholder="whsec_…"
                autoComplete="off"
                spellCheck={false}
                data-1p-ignore
              />
            </Field>
          </DialogBody>
          <DialogSubmit label="Save" busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
