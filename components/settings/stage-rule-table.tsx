import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { randomId } from "#components/random-id.ts";
import { wordsOf } from "#components/records/names.ts";
import { stageLabels, stageTones } from "#components/records/stages.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { StageTable } from "#lib/domain/crm/stages/contract.ts";
import type { ActivityType } from "#lib/domain/records/evidence/contract.ts";
import { activityTypes, draftOf, type EventRow, type RuleStage, ruleStages, type StageDraft } from "./stage-draft.ts";

type StageRuleTableProps = {
  draft: StageDraft;
  standard: StageTable;
  /** Absent for readers who may not change the rules. */
  onDraft: ((draft: StageDraft) => void) | undefined;
  /** By the key of an event's row. */
  problems: Readonly<Record<string, string>>;
};

const NOTHING = "nothing";
const stageOptions = ruleStages.map((stage) => ({ value: stage, label: stageLabels[stage] }));
const typeOptions = [{ value: NOTHING, label: "No change" }, ...stageOptions] as const;

const nameOf = (type: ActivityType): string => (type === "custom" ? "Custom activity, any event" : wordsOf(type));
const inWords = (stage: RuleStage | undefined): string => (stage ? stageLabels[stage] : "no change");

const row = "*:border-t *:py-1.5 *:pl-4 *:pr-4 max-sm:[&>td:nth-child(2)]:pl-1 max-sm:[&>th:not([colspan])]:pr-1";

/** One line for each type of activity, then one for each custom event with its own rule. */
export function StageRuleTable({ draft, standard, onDraft, problems }: StageRuleTableProps) {
  const add = useRef<HTMLButtonElement>(null);
  const usual = draftOf(standard);

  function setType(type: ActivityType, stage: RuleStage | undefined): void {
    const { [type]: _, ...others } = draft.byType;
    onDraft?.({ ...draft, byType: stage ? { ...others, [type]: stage } : others });
  }
  const setEvent = (key: string, change: Partial<EventRow>) =>
    onDraft?.({ ...draft, events: draft.events.map((each) => (each.key === key ? { ...each, ...change } : each)) });

  return (
    <table aria-label="Stage rules" className="w-full table-fixed border-t text-left">
      <colgroup>
        <col />
        <col className="w-52 max-sm:w-45" />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th scope="col">What happens</th>
          <th scope="col">Brings a person to</th>
        </tr>
      </thead>
      <tbody className="[&>tr:first-child>*]:border-t-0">
        {activityTypes.map((type) => {
          const stage = draft.byType[type];
          return (
            <tr key={type} className={row}>
              <th scope="row" className="font-normal">
                {nameOf(type)}
                {stage === usual.byType[type] ? null : (
                  <span className="block text-muted-foreground text-sm">Standard: {inWords(usual.byType[type])}</span>
                )}
              </th>
              <td>
                {onDraft ? (
                  <Select
                    aria-label={`${nameOf(type)} brings a person to`}
                    options={typeOptions}
                    value={stage ?? NOTHING}
                    onValueChange={(next) => setType(type, next === NOTHING ? undefined : next)}
                  />
                ) : (
                  <StageWords stage={stage} />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
      <tbody>
        <tr className={row}>
          <th scope="colgroup" colSpan={2} className="bg-muted/30 font-normal">
            <span className="block font-medium text-sm">Activities of your own</span>
            <span className="block text-muted-foreground text-sm">
              What is logged as custom, by its event. The highest rule that fits counts.
            </span>
          </th>
        </tr>
        {draft.events.map(({ key, event, stage }, index) => (
          <tr key={key} className={`${row} align-top`}>
            <th scope="row" className="font-normal">
              {onDraft ? (
                <Field label={`Event ${index + 1}`} hideLabel error={problems[key]}>
                  <Input
                    className="sm:font-mono sm:text-sm"
                    value={event}
                    maxLength={100}
                    placeholder="contract_sent"
                    // Only a row that was added just now has no name.
                    autoFocus={event === ""}
                    onChange={({ target }) => setEvent(key, { event: target.value })}
                    autoComplete="off"
                    autoCapitalize="none"
                    spellCheck={false}
                  />
                </Field>
              ) : (
                <code className="wrap-anywhere font-mono text-sm">{event}</code>
              )}
            </th>
            <td>
              {onDraft ? (
                <span className="flex items-center gap-1">
                  <Select
                    aria-label={`${event.trim() || `Event ${index + 1}`} brings a person to`}
                    options={stageOptions}
                    value={stage}
                    onValueChange={(next) => setEvent(key, { stage: next })}
                  />
                  <IconButton
                    label={`Remove ${event.trim() || `event ${index + 1}`}`}
                    className="shrink-0"
                    onClick={() => {
                      onDraft({ ...draft, events: draft.events.filter((each) => each.key !== key) });
                      add.current?.focus();
                    }}
                  >
                    <X aria-hidden="true" />
                  </IconButton>
                </span>
              ) : (
                <StageWords stage={stage} />
              )}
            </td>
          </tr>
        ))}
        {onDraft ? (
          <tr className={row}>
            <td colSpan={2}>
              <Button
                ref={add}
                size="sm"
                onClick={() =>
                  onDraft({
                    ...draft,
                    events: [...draft.events, { key: randomId(), event: "", stage: "client" }],
                  })
                }
              >
                <Plus aria-hidden="true" /> Add an event
              </Button>
            </td>
          </tr>
        ) : null}
      </tbody>
    </table>
  );
}

function StageWords({ stage }: { stage: RuleStage | undefined }) {
  if (!stage) return <span className="text-muted-foreground">No change</span>;
  return <Badge tone={stageTones[stage]}>{stageLabels[stage]}</Badge>;
}
