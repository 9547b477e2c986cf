"use client";

import { useState } from "react";
import { useForm } from "react-hook-form";
import { callUser } from "#components/api.ts";
import { CodeInput } from "#components/auth/code-input.tsx";
import { FormAlert } from "#components/auth/form-alert.tsx";
import { useFormSubmit } from "#components/auth/use-form-submit.ts";
import { confirmSecondFactor, removeSecondFactor, renewRecoveryCodes } from "#components/operations/second-factor.ts";
import { OneTimeSecret } from "#components/records/one-time-secret.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toaster.tsx";

export type NewFactor = { secret: string; uri: string; qr: { path: string; size: number } };

/** Shows the secret, takes the first code, then shows the recovery codes. */
export function SetUpDialog({ factor, onEnd }: { factor: NewFactor; onEnd: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Dialog open onOpenChange={(next) => (next || codes ? undefined : onEnd())}>
      {codes ? (
        <RecoveryCodes codes={codes} onEnd={onEnd} />
      ) : (
        <DialogContent
          title="Set up a second factor"
          description="Scan this with an app that makes codes, such as 1Password, Google Authenticator or Aegis."
        >
          <CodeForm
            label="Turn on"
            onCode={async (code) => {
              const { recovery_codes, ended_sessions } = await callUser(confirmSecondFactor, { code });
              setCodes(recovery_codes);
              if (ended_sessions > 0) toast.success("Your other sessions ended.");
            }}
          >
            <QrCode {...factor.qr} />
            <div className="flex items-center justify-center gap-1 text-sm">
              <span className="shrink-0 text-muted-foreground">Or type</span>
              <code className="wrap-anywhere">{factor.secret}</code>
              <CopyButton value={factor.secret} label="Copy the secret" size="sm" />
            </div>
          </CodeForm>
        </DialogContent>
      )}
    </Dialog>
  );
}

/** Black on white in every theme: cameras expect that. */
const QrCode = ({ path, size }: NewFactor["qr"]) => (
  <svg
    viewBox={`-4 -4 ${size + 8} ${size + 8}`}
    shapeRendering="crispEdges"
    role="img"
    aria-label="QR code with the secret"
    className="mx-auto size-48 rounded-md border bg-white text-black"
  >
    <path d={path} fill="currentColor" />
  </svg>
);

const wishes = {
  renew: {
    title: "New recovery codes",
    description: "The ten codes that you have now stop working.",
    label: "Make new codes",
  },
  remove: {
    title: "Remove the app",
    description: "Its codes are not asked for any more. Without a passkey, the password alone signs you in again.",
    label: "Remove",
  },
} as const;

export function CodeDialog({ wish, onEnd }: { wish: keyof typeof wishes; onEnd: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { label, ...words } = wishes[wish];
  return (
    <Dialog open onOpenChange={(next) => (next || codes ? undefined : onEnd())}>
      {codes ? (
        <RecoveryCodes codes={codes} onEnd={onEnd} />
      ) : (
        <DialogContent {...words}>
          <CodeForm
            label={label}
            onCode={async (code) => {
              if (wish === "renew") return setCodes((await callUser(renewRecoveryCodes, { code })).recovery_codes);
              await callUser(removeSecondFactor, { code });
              toast.success("The app is removed.");
              onEnd();
            }}
          />
        </DialogContent>
      )}
    </Dialog>
  );
}

type CodeFormProps = { label: string; onCode: (code: string) => Promise<void>; children?: React.ReactNode };

function CodeForm({ label, onCode, children }: CodeFormProps) {
  const form = useForm({ defaultValues: { code: "" } });
  const { submit, failure, busy } = useFormSubmit(form, ({ code }) => onCode(code));
  return (
    <form method="post" onSubmit={submit} noValidate>
      <DialogBody>
        {children}
        <Field
          label="Code"
          error={form.formState.errors.code?.message}
          hint={children ? "The six digits that the app shows now." : "From your app, or a recovery code."}
          required
        >
          <CodeInput autoFocus {...form.register("code", { required: "Enter a code." })} />
        </Field>
        <FormAlert>{failure}</FormAlert>
      </DialogBody>
      <DialogSubmit label={label} busy={busy} />
    </form>
  );
}

/** New recovery codes, in a dialog of their own. */
export const CodesDialog = ({ codes, onEnd }: { codes: readonly string[]; onEnd: () => void }) => (
  <Dialog open>
    <RecoveryCodes codes={codes} onEnd={onEnd} />
  </Dialog>
);

export const RecoveryCodes = ({ codes, onEnd }: { codes: readonly string[]; onEnd: () => void }) => (
  <OneTimeSecret title="Your recovery codes" noun="codes" onDone={onEnd}>
    <p>
      Each works once, in place of a code of the app or a passkey. Keep them where you can get at them without your
      phone.
    </p>
    <ul
      aria-label="Recovery codes"
      className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-md border bg-muted px-4 py-3 font-mono"
    >
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <CopyButton text value={codes.join("\n")} label="Copy all codes" className="self-start" />
  </OneTimeSecret>
);
