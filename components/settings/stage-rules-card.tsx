"use client";

import { RotateCcw } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { problemOf } from "#components/records/problem.ts";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardBody, CardFooter, CardHeader } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { toast } from "#components/ui/toaster.tsx";
import { type StageSettings, type StageTable, UnfinishedMove, useRuleChanges, useStageRules } from "./stage-calls.ts";
import { draftOf, isSameTable, problemsIn, type StageDraft, tableOf } from "./stage-draft.ts";
import { StagePreview } from "./stage-preview.tsx";
import { StageRuleTable } from "./stage-rule-table.tsx";

type StageRulesCardProps = { workspaceId: string; initial: StageSettings; canChange: boolean };
type Work = { doing: "saving"; moved: number } | null;

/** Which activity leads to which stage: read by every member, changed by admins, tried before it is saved. */
export function StageRulesCard({ workspaceId, initial, canChange }: StageRulesCardProps) {
  const query = useStageRules(workspaceId, initial);
  const settings = query.data;
  const changes = useRuleChanges(workspaceId);
  const [edited, setEdited] = useState<StageDraft | null>(null);
  const [tried, setTried] = useState(false);
  const [movePeople, setMovePeople] = useState(false);
  const [asked, setAsked] = useState<StageTable | null>(null);
  const [work, setWork] = useState<Work>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);

  const draft = edited ?? draftOf(settings);
  const table = tableOf(draft);
  const isChanged = !isSameTable(table, settings);
  const found = problemsIn(draft);
  const problems = tried ? found : null;
  const shown = asked && isSameTable(asked, table) ? asked : null;

  /** True when the rules can be sent; else the first field that is wrong has the focus. */
  function isReady(): boolean {
    setFailure(null);
    setTried(true);
    if (!found) return true;
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    return false;
  }

  function settle(): void {
    setEdited(null);
    setTried(false);
    setMovePeople(false);
    setAsked(null);
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    if (work || !(isChanged || movePeople) || !isReady()) return;
    setWork({ doing: "saving", moved: 0 });
    try {
      const moved = await changes.save(table, movePeople, (count) => setWork({ doing: "saving", moved: count }));
      settle();
      toast.success(movePeople ? `The rules are saved. ${peopleWords(moved)} moved.` : "The rules are saved.");
    } catch (problem) {
      setFailure(
        problem instanceof UnfinishedMove
          ? `The rules are saved and ${peopleWords(problem.moved)} moved, then it stopped: ${problemOf(problem.cause).message} Save again to move the rest.`
          : problemOf(problem).message,
      );
    } finally {
      setWork(null);
    }
  }

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
        <form ref={form} onSubmit={save} noValidate>
          <StageRuleTable
            draft={draft}
            standard={settings.standard}
            onDraft={canChange ? setEdited : undefined}
            problems={problems?.events ?? {}}
          />
          <CardBody className="flex flex-col gap-4">
            {canChange ? (
              <>
                <Field
                  label="Days that count"
                  hint="What is recorded more days than this after it happened moves nobody: history is not interest."
                  error={problems?.maxAge}
                >
                  <Input
                    inputMode="numeric"
                    className="max-w-28"
                    value={draft.maxAge}
                    onChange={({ target }) => setEdited({ ...draft, maxAge: target.value })}
                    autoComplete="off"
                  />
                </Field>
                <Checkbox
                  label="Also move people now"
                  hint="Those whom these rules would have moved by what has happened already. Preview names them; nobody moves back."
                  checked={movePeople}
                  onCheckedChange={(checked) => setMovePeople(checked === true)}
                />
                <p role="alert" className="text-danger-text text-sm empty:hidden">
                  {failure ?? problems?.rules}
                </p>
                <div className="flex flex-wrap items-center gap-2">
                  <Button
                    type="submit"
                    variant="primary"
                    loading={work !== null}
                    disabled={work === null && !isChanged && !movePeople}
                  >
                    Save rules
                  </Button>
                  <Button disabled={work !== null} onClick={() => (isReady() ? setAsked(table) : undefined)}>
                    Preview
                  </Button>
                  {isChanged && !work ? (
                    <Button variant="ghost" onClick={settle}>
                      Discard changes
                    </Button>
                  ) : null}
                  <span role="status" className="text-muted-foreground text-sm empty:hidden">
                    {work && work.moved > 0 ? `${peopleWords(work.moved)} moved so far…` : null}
                  </span>
                </div>
              </>
            ) : (
              <p className="text-muted-foreground text-sm">
                What was recorded more than {settings.max_age_days.toLocaleString("en")} days after it happened moves
                nobody.
              </p>
            )}
          </CardBody>
        </form>
        {settings.updated_at && settings.customised ? (
          <CardFooter className="justify-between">
            <span>
              Changed <RelativeTime value={settings.updated_at} />
            </span>
            {canChange ? (
              <AlertDialog
                trigger={
                  <Button size="sm" disabled={work !== null}>
                    <RotateCcw aria-hidden="true" /> Back to standard
                  </Button>
                }
                title="Go back to the standard rules?"
                description="Your own rules are gone then. People stay at the stage where they are."
                confirmLabel="Use the standard rules"
                tone="primary"
                onConfirm={async () => {
                  await changes.reset();
                  settle();
                  toast.success("The standard rules hold again.");
                }}
              />
            ) : null}
          </CardFooter>
        ) : null}
      </Card>
      {shown ? <StagePreview workspaceId={workspaceId} table={shown} /> : null}
    </>
  );
}

const peopleWords = (count: number): string =>
  count === 0 ? "Nobody" : count === 1 ? "1 person" : `${count.toLocaleString("en")} people`;
