"use client";

import { type FormEvent, useState } from "react";
import { problemOf } from "#components/records/problem.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select, type SelectOption } from "#components/ui/select.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type CrmConfig, type CrmSync, useConfigure } from "./crm-calls.ts";
import { triggerWords } from "./crm-words.ts";

type Rules = Omit<CrmConfig, "provider">;

/** What the API gives to a workspace that set nothing. */
const standard: Rules = {
  autoSync: true,
  pushActivities: true,
  createInCrm: false,
  createTrigger: "engaged",
  createRequireIcpFit: false,
  createIcpThreshold: 70,
  hygieneEnabled: false,
  hygieneCadence: "weekly",
};

const triggers = Object.entries(triggerWords).map(([value, label]) => ({ value, label })) as SelectOption<
  Rules["createTrigger"]
>[];
const cadences: SelectOption<Rules["hygieneCadence"]>[] = [
  { value: "daily", label: "Every day" },
  { value: "weekly", label: "Every week" },
  { value: "monthly", label: "Every month" },
];

type Toggle = "autoSync" | "pushActivities" | "createInCrm" | "createRequireIcpFit" | "hygieneEnabled";

type RuleBoxProps = { label: string; hint: string; checked: boolean; onChange: (checked: boolean) => void };

const RuleBox = ({ onChange, ...box }: RuleBoxProps) => (
  <Checkbox {...box} onCheckedChange={(checked) => onChange(checked === true)} />
);

/** A problem of the whole form. */
const FormProblem = ({ children }: { children: string | undefined }) => (
  <div role="alert" className="empty:hidden">
    {children ? <p className="text-danger-text text-sm">{children}</p> : null}
  </div>
);

type CrmRulesDialogProps = { workspaceId: string; crm: CrmSync; onClose: () => void };

/** What is pushed to a CRM, and who is created there. */
export function CrmRulesDialog({ workspaceId, crm, onClose }: CrmRulesDialogProps) {
  const [rules, setRules] = useState<Rules>(crm.config ?? standard);
  const [threshold, setThreshold] = useState(String(rules.createIcpThreshold));
  const [problem, setProblem] = useState<{ field: "threshold" | "form"; text: string }>();
  const configure = useConfigure(workspaceId);
  const { provider, display_name: name } = crm;
  const set = (change: Partial<Rules>) => setRules({ ...rules, ...change });

  const box = (field: Toggle, label: string, hint: string) => (
    <RuleBox label={label} hint={hint} checked={rules[field]} onChange={(checked) => set({ [field]: checked })} />
  );

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (configure.isPending) return;
    const score = Number(threshold);
    if (!Number.isInteger(score) || score < 0 || score > 100 || threshold.trim() === "")
      return setProblem({ field: "threshold", text: "A whole number from 0 to 100." });
    setProblem(undefined);
    try {
      const { provider: _, ...given } = { ...rules, provider };
      await configure.mutateAsync({ ...given, provider, createIcpThreshold: score });
      toast.success(`What is pushed to ${name} is saved.`);
      onClose();
    } catch (error) {
      setProblem({ field: "form", text: problemOf(error).message });
    }
  }

  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())}>
      <DialogContent
        title={`What is pushed to ${name}`}
        description="Contacts and stages are always pushed. A contact that is there already keeps what people wrote, until the value changes here."
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            {box(
              "autoSync",
              "Push changes automatically",
              "Within about two minutes. Otherwise when you start a sync.",
            )}
            {box(
              "pushActivities",
              "Push notes and activities",
              "Meetings, calls, e-mails and notes, each once. Visits and opened e-mails are not.",
            )}
            {box("createInCrm", `Create contacts missing in ${name}`, "Otherwise only existing contacts are updated.")}
            {rules.createInCrm ? (
              <div className="flex flex-col gap-4 border-l pl-4">
                <Field label="Who to create">
                  <Select
                    options={triggers}
                    value={rules.createTrigger}
                    onValueChange={(createTrigger) => set({ createTrigger })}
                  />
                </Field>
                {box(
                  "createRequireIcpFit",
                  "Only with a high enough ICP score",
                  "People without a score are left out.",
                )}
                {rules.createRequireIcpFit ? (
                  <Field
                    label="Minimum ICP score"
                    hint="From 0 to 100; a fit is 70 or more."
                    error={problem?.field === "threshold" ? problem.text : undefined}
                  >
                    <Input
                      inputMode="numeric"
                      value={threshold}
                      onChange={(event) => setThreshold(event.target.value)}
                      className="w-24"
                    />
                  </Field>
                ) : null}
              </div>
            ) : null}
            {box(
              "hygieneEnabled",
              "Check linked contacts from time to time",
              `Finds what was deleted, merged or changed in ${name}, and says what to do.`,
            )}
            {rules.hygieneEnabled ? (
              <Field label="How often" className="border-l pl-4">
                <Select
                  options={cadences}
                  value={rules.hygieneCadence}
                  onValueChange={(hygieneCadence) => set({ hygieneCadence })}
                />
              </Field>
            ) : null}
            <FormProblem>{problem?.field === "form" ? problem.text : undefined}</FormProblem>
          </DialogBody>
          <DialogSubmit label="Save" busy={configure.isPending} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
