"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { callOperation } from "#components/api.ts";
import { FormAlert } from "#components/auth/form-alert.tsx";
import { SubmitButton } from "#components/auth/submit-button.tsx";
import { setWorkspaceProfile } from "#components/operations/workspace-status.ts";
import { stageLabels, stages } from "#components/records/stages.ts";
import { useSubmit } from "#components/records/use-submit.ts";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select, type SelectOption } from "#components/ui/select.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type * as status from "#lib/domain/workspace/workspace-status/contract.ts";

type Selling = Pick<status.WorkspaceProfile, "business_type" | "plan_model" | "default_signup_stage">;

type Options<Name extends keyof Selling> = readonly SelectOption<NonNullable<Selling[Name]>>[];

const businesses: Options<"business_type"> = [
  { value: "software", label: "Software" },
  { value: "service", label: "Service" },
];
const planModels: Options<"plan_model"> = [
  { value: "free_plan", label: "With a free plan" },
  { value: "free_trial", label: "With a free trial" },
  { value: "both", label: "With a free plan or a trial" },
  { value: "paid_only", label: "By paying" },
];
const signupStages = stages.map((value) => ({ value, label: stageLabels[value] }));

/** How the workspace sells, as agents see it. */
export function SellingCard({ workspaceId, selling }: { workspaceId: string; selling: Selling }) {
  const router = useRouter();
  const [saved, setSaved] = useState(selling);
  const [values, setValues] = useState(selling);
  const changed = (Object.keys(values) as (keyof Selling)[]).filter((name) => values[name] !== saved[name]);

  const { submit, busy, problem } = useSubmit(async () => {
    const profile = Object.fromEntries(changed.map((name) => [name, values[name]]));
    await callOperation(setWorkspaceProfile, workspaceId, profile);
    setSaved(values);
    router.refresh();
    toast.success("How you sell is saved.");
  });

  const choice = <Name extends keyof Selling>(name: Name, label: string, options: Options<Name>) => (
    <Field label={label}>
      <Select
        options={options}
        value={values[name] ?? undefined}
        onValueChange={(value) => setValues({ ...values, [name]: value })}
      />
    </Field>
  );

  return (
    <Card aria-labelledby="selling">
      <CardHeader
        titleId="selling"
        title="How you sell"
        description="Agents read this and choose their words to fit."
      />
      <CardBody>
        <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
          {choice("business_type", "What you sell", businesses)}
          {choice("plan_model", "How customers start", planModels)}
          {choice("default_signup_stage", "Stage of someone who signs up", signupStages)}
          <FormAlert>{problem}</FormAlert>
          <SubmitButton busy={busy} disabled={changed.length === 0} className="self-start">
            Save
          </SubmitButton>
        </form>
      </CardBody>
    </Card>
  );
}
