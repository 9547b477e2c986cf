"use client";

import { useForm } from "react-hook-form";
import { callUser } from "#components/api.ts";
import { createWorkspace } from "#components/operations/workspaces.ts";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { FormAlert } from "./form-alert.tsx";
import { checkOf } from "./form-check.ts";
import { leaveFor } from "./leave.ts";
import { SubmitButton } from "./submit-button.tsx";
import { useFormSubmit } from "./use-form-submit.ts";
import { WebsiteInput } from "./website-input.tsx";

export function CreateWorkspaceForm() {
  const form = useForm({ resolver: checkOf("workspace") });
  const { errors } = form.formState;
  const { submit, failure, busy } = useFormSubmit(form, async (values) => {
    const { workspace_id } = await callUser(createWorkspace, values);
    await leaveFor(`/${workspace_id}/connect?welcome=1`);
  });

  return (
    <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label="Workspace name" error={errors.name?.message} hint="Usually your company's name." required>
        <Input autoComplete="organization" {...form.register("name")} />
      </Field>
      <Field label="Website" error={errors.website?.message} optional>
        <WebsiteInput {...form.register("website")} />
      </Field>
      <FormAlert>{failure}</FormAlert>
      <SubmitButton busy={busy} size="lg">
        Create workspace
      </SubmitButton>
    </form>
  );
}
