"use client";

import { RotateCcw } from "lucide-react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { AskBeforeLeaving } from "#components/ui/ask-before-leaving.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardBody, CardFooter, CardHeader } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { type StageSettings, useStageRules } from "./stage-calls.ts";
import { StagePreview } from "./stage-preview.tsx";
import { StageRuleTable } from "./stage-rule-table.tsx";
import { type StageForm, useStageForm } from "./use-stage-form.ts";

type StageRulesCardProps = { workspaceId: string; initial: StageSettings; canChange: boolean };

/** Which activity leads to which stage: read by every member, changed by admins, previewed before it is saved. */
export function StageRulesCard({ workspaceId, initial, canChange }: StageRulesCardProps) {
  const query = useStageRules(workspaceId, initial);
  const settings = query.data;
  const form = useStageForm(workspaceId, settings);
  return (
    <>
      <Card aria-labelledby="stages">
        <CardHeader
          titleId="stages"
          title="Stage rules"
          aside={settings.customised ? <Badge tone="accent">Your own</Badge> : <Badge>Standard</Badge>}
          description={`Which activity brings a person to which stage. Rules only move people forward.${canChange ? "" : " Admins can change them."}`}
        />
        <LoadProblem
          title="The rules could not be refreshed"
          query={query}
          note="What you see may be out of date."
          className="border-t"
        />
        <form ref={form.form} onSubmit={form.save} noValidate>
          <StageRuleTable
            draft={form.draft}
            standard={settings.standard}
            onDraft={canChange ? form.edit : undefined}
            problems={form.problems?.events ?? {}}
          />
          <CardBody className="flex flex-col gap-4">
            {canChange ? (
              <>
                <Settings form={form} />
                <Buttons form={form} />
              </>
            ) : (
              <p className="text-muted-foreground text-sm">
                An activity recorded more than {numeral(settings.max_age_days)} days after it happened does not change a
                stage.
              </p>
            )}
          </CardBody>
        </form>
        {settings.updated_at && settings.customised ? (
          <CardFooter className="justify-between">
            <span>
              Changed <RelativeTime value={settings.updated_at} />
            </span>
            {canChange ? <BackToStandard form={form} /> : null}
          </CardFooter>
        ) : null}
      </Card>
      <AskBeforeLeaving
        dirty={form.isChanged && !form.isSaving}
        title="Leave without saving the rules?"
        description="You lose your changes to the rules."
      />
      {form.previewed ? <StagePreview workspaceId={workspaceId} table={form.previewed} /> : null}
    </>
  );
}

function Settings({ form }: { form: StageForm }) {
  const { draft, edit, problems } = form;
  return (
    <>
      <Field
        label="Days that count"
        hint="An activity recorded more than this many days after it happened does not change a stage."
        error={problems?.maxAge}
      >
        <Input
          inputMode="numeric"
          className="max-w-28"
          value={draft.maxAge}
          onChange={({ target }) => edit({ ...draft, maxAge: target.value })}
          autoComplete="off"
        />
      </Field>
      <Checkbox
        label="Also move people now"
        hint="Also move people whose past activity meets the new rules. The preview lists them. No one moves back."
        checked={form.movePeople}
        onCheckedChange={(checked) => form.setMovePeople(checked === true)}
      />
      <p role="alert" className="text-danger-text text-sm empty:hidden">
        {form.failure ?? problems?.rules}
      </p>
    </>
  );
}

function Buttons({ form }: { form: StageForm }) {
  const { isSaving, isChanged } = form;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button type="submit" variant="primary" loading={isSaving} disabled={!isSaving && !isChanged && !form.movePeople}>
        Save rules
      </Button>
      <Button disabled={isSaving} onClick={form.preview}>
        Preview
      </Button>
      {isChanged && !isSaving ? (
        <Button variant="ghost" onClick={form.settle}>
          Discard changes
        </Button>
      ) : null}
      <span role="status" className="text-muted-foreground text-sm empty:hidden">
        {form.progress}
      </span>
    </div>
  );
}

function BackToStandard({ form }: { form: StageForm }) {
  return (
    <AlertDialog
      trigger={
        <Button size="sm" disabled={form.isSaving}>
          <RotateCcw aria-hidden="true" /> Back to standard
        </Button>
      }
      title="Go back to the standard rules?"
      description="Your own rules are deleted. People keep their stage."
      confirmLabel="Use the standard rules"
      tone="primary"
      onConfirm={form.reset}
    />
  );
}
