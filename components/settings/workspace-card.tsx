"use client";

import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { callOperation } from "#components/api.ts";
import { FormAlert } from "#components/auth/form-alert.tsx";
import { checkOf } from "#components/auth/form-check.ts";
import { SubmitButton } from "#components/auth/submit-button.tsx";
import { useFormSubmit } from "#components/auth/use-form-submit.ts";
import { WebsiteInput } from "#components/auth/website-input.tsx";
import { updateWorkspace } from "#components/operations/workspaces.ts";
import { Card, CardBody, CardFooter, CardHeader } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type * as workspaces from "#lib/domain/workspace/workspaces/contract.ts";

export function WorkspaceCard({ workspace, canChange }: { workspace: workspaces.Workspace; canChange: boolean }) {
  const router = useRouter();
  const form = useForm({
    resolver: checkOf("workspace"),
    defaultValues: { name: workspace.name, website: workspace.website ?? "" },
  });
  const { errors, isDirty } = form.formState;
  const { submit, failure, busy } = useFormSubmit(form, async (values) => {
    const { name, website } = await callOperation(updateWorkspace, workspace.id, values);
    form.reset({ name, website: website ?? "" });
    router.refresh();
    toast.success("The workspace is saved.");
  });

  return (
    <Card aria-labelledby="workspace">
      <CardHeader
        titleId="workspace"
        title="Workspace"
        description={canChange ? "Agents see the name and the website too." : "Admins can change these."}
      />
      <CardBody>
        <form method="post" onSubmit={submit} noValidate className="flex max-w-md flex-col gap-4">
          <Field label="Workspace name" error={errors.name?.message} required={canChange}>
            <Input readOnly={!canChange} autoComplete="off" {...form.register("name")} />
          </Field>
          <Field label="Website" error={errors.website?.message} optional={canChange}>
            <WebsiteInput readOnly={!canChange} autoComplete="off" {...form.register("website")} />
          </Field>
          <FormAlert>{failure}</FormAlert>
          {canChange ? (
            <SubmitButton busy={busy} disabled={!isDirty} className="self-start">
              Save workspace
            </SubmitButton>
          ) : null}
        </form>
      </CardBody>
      <CardFooter>
        Workspace id <code className="wrap-anywhere font-mono text-foreground">{workspace.id}</code>
        <CopyButton value={workspace.id} label="Copy workspace id" size="sm" />
      </CardFooter>
    </Card>
  );
}
