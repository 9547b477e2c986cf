"use client";

import { type FormEvent, useState } from "react";
import { ApiError } from "#components/api.ts";
import { randomId } from "#components/random-id.ts";
import { movedWords } from "#components/records/moved.ts";
import { type Problem, problemOf } from "#components/records/problem.ts";
import { Refusal } from "#components/records/refusal.tsx";
import { isStage } from "#components/records/stages.ts";
import { Dialog, DialogBody, DialogContent, DialogSubmit } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { activityChoices, type LoggedType, mayLieAhead } from "./activity-choices.ts";
import { type Account, type ActivityInput, type Calls, callsOf } from "./calls.ts";
import { localMinute } from "./days.ts";

/** A company has no stage. */
type ActivityResult = { deduplicated: boolean; stage_before: string | null; stage_after: string | null };
type LogActivityDialogProps = {
  workspaceId: string;
  calls: Calls;
  account: Account;
  onLogged: () => void;
  onClose: () => void;
};

const fields = ["type", "event", "description", "when"] as const;
type FieldName = (typeof fields)[number];
type FormProblem = Problem & { field: FieldName | null };

/** Logs an activity with a person, or with a company and perhaps one of its people. One opened dialog is one activity, however often it is sent. */
export function LogActivityDialog({ workspaceId, calls, account, onLogged, onClose }: LogActivityDialogProps) {
  const [externalId] = useState(randomId);
  const [openedAt] = useState(() => localMinute(new Date()));
  const [withId, setWithId] = useState(account.entity_id);
  const [type, setType] = useState<LoggedType>("call");
  const [event, setEvent] = useState("");
  const [description, setDescription] = useState("");
  const [when, setWhen] = useState(openedAt);
  const [problem, setProblem] = useState<FormProblem | null>(null);
  const [busy, setBusy] = useState(false);
  const on = (field: FieldName) => (problem?.field === field ? problem.message : undefined);
  const isCustom = type === "custom";

  async function submit(submitted: FormEvent) {
    submitted.preventDefault();
    if (busy) return;
    const wrong = problemIn(type, event, when, openedAt);
    setProblem(wrong);
    if (wrong) return;
    setBusy(true);
    try {
      const name = event.trim();
      const summary = description.trim() || (isCustom ? name : "");
      const logged: ActivityResult = await logOf(
        workspaceId,
        calls,
        account,
        withId,
      )({
        type,
        external_id: externalId,
        ...(summary ? { description: summary } : {}),
        ...(isCustom ? { metadata: { event: name } } : {}),
        // When the time was not changed it means now, by the server's clock.
        ...(when === openedAt ? {} : { occurred_at: new Date(when).toISOString() }),
      });
      toast.success(outcomeOf(logged, nameOf(account, withId)));
      onLogged();
      onClose();
    } catch (error) {
      setProblem({ field: fieldOf(error), ...problemOf(error) });
      setBusy(false);
    }
  }

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        title="Log an activity"
        description={`What happened with ${nameOf(account, withId)}.${isCompany(account, withId) ? "" : " It may move their stage."}`}
      >
        <form onSubmit={submit} noValidate>
          <DialogBody>
            {account.relationships.people.length > 0 ? (
              <Field label="With">
                <Select options={choicesOf(account)} value={withId} onValueChange={setWithId} />
              </Field>
            ) : null}
            <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_13.5rem]">
              <Field label="Type" error={on("type")}>
                <Select options={activityChoices} value={type} onValueChange={setType} />
              </Field>
              <Field label="When" error={on("when")}>
                <Input type="datetime-local" value={when} onChange={({ target }) => setWhen(target.value)} />
              </Field>
            </div>
            {isCustom ? (
              <Field
                label="Event"
                error={on("event")}
                hint="The name used in your stage rules, such as deal_won."
                required
              >
                <Input
                  value={event}
                  maxLength={100}
                  onChange={({ target }) => setEvent(target.value)}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                />
              </Field>
            ) : null}
            <Field label="What happened" error={on("description")} optional>
              <Textarea
                autoFocus
                dir="auto"
                rows={3}
                maxLength={2_000}
                value={description}
                onChange={({ target }) => setDescription(target.value)}
              />
            </Field>
            <Refusal problem={problem?.field ? null : problem} />
          </DialogBody>
          <DialogSubmit label="Log activity" busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}

/** The company itself, then its people. */
const choicesOf = ({ entity_id, name, relationships }: Account) => [
  { value: entity_id, label: name },
  ...relationships.people.map((person) => ({ value: person.entity_id, label: person.name })),
];

const nameOf = (account: Account, id: string): string =>
  choicesOf(account).find(({ value }) => value === id)?.label ?? account.name;

const isCompany = (account: Account, id: string): boolean => account.type === "company" && id === account.entity_id;

function logOf(
  workspaceId: string,
  calls: Calls,
  account: Account,
  id: string,
): (activity: ActivityInput) => Promise<ActivityResult> {
  if (isCompany(account, id)) return calls.logOfCompany;
  return id === account.entity_id ? calls.log : callsOf(workspaceId, id).log;
}

/** Problems that are found without asking the server. */
function problemIn(type: LoggedType, event: string, when: string, openedAt: string): FormProblem | null {
  if (type === "custom" && event.trim() === "")
    return { field: "event", message: "Enter what happened, in a word or two." };
  const at = new Date(when);
  if (Number.isNaN(at.getTime())) return { field: "when", message: "Enter a day and a time." };
  if (!mayLieAhead(type) && when !== openedAt && at.getTime() > Date.now())
    return { field: "when", message: "That is in the future. Only a scheduled meeting can be." };
  return null;
}

/** The field that the error is about. */
function fieldOf(error: unknown): FieldName | null {
  if (!(error instanceof ApiError)) return null;
  const [named] = String(error.extras.parameter ?? error.code.replace(/^invalid_/, "")).split(".");
  if (named === "occurred_at") return "when";
  if (named === "metadata") return "event";
  return fields.find((field) => field === named) ?? null;
}

function outcomeOf({ deduplicated, stage_before, stage_after }: ActivityResult, name: string): string {
  if (deduplicated) return "This was already logged.";
  if (stage_after === stage_before || !isStage(stage_after)) return "Activity logged.";
  return `Activity logged. ${movedWords(name, stage_after)}.`;
}
