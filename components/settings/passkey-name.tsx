import type { ComponentProps } from "react";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";

/** For `register` of a form with this field. */
export const passkeyName = { validate: (name: string) => name.trim() !== "" || "Enter a name." };

/** What a passkey is called. */
export const PasskeyName = ({ error, ...input }: ComponentProps<"input"> & { error: string | undefined }) => (
  <Field label="Name" error={error} hint="Where it is kept, such as your laptop or your password manager." required>
    <Input autoFocus autoComplete="off" maxLength={60} {...input} />
  </Field>
);
