"use client";

import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { callUser } from "#components/api.ts";
import { FormAlert } from "#components/auth/form-alert.tsx";
import { checkOf } from "#components/auth/form-check.ts";
import { SubmitButton } from "#components/auth/submit-button.tsx";
import { useFormSubmit } from "#components/auth/use-form-submit.ts";
import { updateProfile } from "#components/operations/users.ts";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { listed } from "#components/ui/numbers.ts";
import { toast } from "#components/ui/toaster.tsx";

export type ProfileCardProps = {
  name: string;
  email: string;
  providers: readonly { id: string; name: string | null }[];
};

export function ProfileCard({ name, email, providers }: ProfileCardProps) {
  const router = useRouter();
  const form = useForm({ resolver: checkOf("profile"), defaultValues: { name } });
  const { submit, failure, busy } = useFormSubmit(form, async (values) => {
    await callUser(updateProfile, values);
    form.reset(values);
    router.refresh();
    toast.success("Your name is saved.");
  });

  return (
    <Card aria-labelledby="profile">
      <CardHeader titleId="profile" title="Profile" description="How you appear to members of your workspaces." />
      <CardBody>
        <form method="post" onSubmit={submit} noValidate className="flex max-w-md flex-col gap-4">
          <Field label="Your name" error={form.formState.errors.name?.message}>
            <Input autoComplete="name" {...form.register("name")} />
          </Field>
          <Field
            label="E-mail"
            hint={
              providers.length > 0
                ? `Linked to ${listed(providers.map((one) => one.name ?? `${one.id} (not offered now)`))}.`
                : undefined
            }
          >
            <Input type="email" value={email} readOnly />
          </Field>
          <FormAlert>{failure}</FormAlert>
          <SubmitButton busy={busy} disabled={!form.formState.isDirty} className="self-start">
            Save name
          </SubmitButton>
        </form>
      </CardBody>
    </Card>
  );
}
