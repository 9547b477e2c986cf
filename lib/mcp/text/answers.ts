import type { z } from "zod";
import type { getApproval } from "#lib/domain/access/approvals/contract.ts";
import type { createBulkAction } from "#lib/domain/crm/bulk-actions/contract.ts";
import type { listPeople, listProperties } from "#lib/domain/crm/people/contract.ts";
import type { Signal } from "#lib/domain/crm/scores/contract.ts";
import type { createTask, listTasks, Task } from "#lib/domain/crm/tasks/contract.ts";
import type { connectIntegration } from "#lib/domain/integrations/connections/contract.ts";
import type { configureCrmSync } from "#lib/domain/integrations/crm-sync/contract.ts";
import type { createTrigger, listTriggers } from "#lib/domain/integrations/triggers/contract.ts";
import type { listAttention } from "#lib/domain/knowledge/attention/contract.ts";
import type { summariseChanges } from "#lib/domain/knowledge/changes/contract.ts";
import type { verifyClaim } from "#lib/domain/knowledge/contacts/contract.ts";
import type { getThread, listThreads } from "#lib/domain/knowledge/messages/contract.ts";
import type { saveNote } from "#lib/domain/knowledge/notes/contract.ts";
import type { recordObservations } from "#lib/domain/knowledge/observations/contract.ts";
import type { queryObservations } from "#lib/domain/knowledge/query/contract.ts";
import type { buildScoringModel, scoreRows } from "#lib/domain/knowledge/scoring/contract.ts";
import type { searchNotes } from "#lib/domain/knowledge/search/contract.ts";
import type { listFacts, saveFact } from "#lib/domain/records/facts/contract.ts";
import { renderProfile } from "#lib/domain/records/facts/service.ts";
import type { getWorkspaceStatus, setWorkspaceProfile } from "#lib/domain/workspace/workspace-status/contract.ts";
import { block, day, line, minute, outside, outsideLines, paragraphs, percent, shown } from "#lib/text/marks.ts";
import { accountText, contextText, whichOne } from "./context.ts";

type Answer<C extends { output: z.ZodType }> = z.output<C["output"]>;

/** What the tool was called with. */
type ToolInput = Readonly<Record<string, unknown>>;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function recordText(output: Answer<typeof recordObservations>): string {
  const { recorded, duplicates, claims, warnings = [], stage_before, stage_after, entity_id } = output;
  const moved = stage_before !== stage_after && stage_after && `Stage: ${stage_before} → ${stage_after}.`;
  return paragraphs([
    [`Recorded ${counted(recorded, "observation")}${duplicates > 0 ? `, ${duplicates} known already` : ""}.`, moved]
      .filter(Boolean)
      .join(" "),
    block(
      "NOW BELIEVED",
      claims.map(({ property, value, changed }) => `- ${property}: ${shown(value)}${changed ? "" : " (as before)"}`),
    ),
    block(
      "NOT CHANGED: A PERSON SAID OTHERWISE AND MUST APPROVE YOURS FIRST",
      claims.flatMap(({ property, approval_id: id }) =>
        id ? [`- ${property}: check_approval with the id ${id}`] : [],
      ),
    ),
    warnings.map(({ index, message }) => `Observation ${index}: ${message}`).join("\n"),
    `entity id: ${entity_id}`,
  ]);
}

function queryText({
  matched,
  returned,
  sampled,
  items,
  rollups,
  next_cursor,
}: Answer<typeof queryObservations>): string {
  const lines = items.map((item) =>
    "matches" in item
      ? `- ${line(item.entity_name)} (${item.type}): matches ${item.matches}, latest ${day(item.most_recent_at)}${item.most_recent_summary ? `: ${line(item.most_recent_summary, 200)}` : ""} [${item.entity_id}]`
      : `- ${minute(item.when)} ${line(item.entity_name)}, ${item.type}: ${line(item.summary ?? shown(item.value), 300)} (${item.source}) [${item.entity_id}]`,
  );
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of).map(([name, n]) => `- ${shown(name, 80)}: ${n}`);
  return paragraphs([
    `${matched} matched, ${returned} returned${sampled ? "; counted among the observations learned last, there are older ones" : ""}.`,
    block("MATCHES", lines),
    block("BY TYPE", counts(rollups.by_type)),
    rollups.by_value && block("BY VALUE", counts(rollups.by_value)),
    next_cursor && `More with cursor: ${next_cursor}`,
  ]);
}

export const attentionText = ({ items }: Answer<typeof listAttention>): string =>
  items.length === 0
    ? "Nothing needs attention now."
    : items
        .map(
          ({ kind, entity_id, entity_name, what, suggested_action }) =>
            `- ${kind} ${outside(`${line(entity_name)}: ${line(what)}`)} ${line(suggested_action)} [${entity_id}]`,
        )
        .join("\n");

function verifyText(output: Answer<typeof verifyClaim>): string {
  if ("candidates" in output) return whichOne(output);
  const { property, before, after, note, evidence } = output;
  const current = `${property}: ${outside(shown(after.value))} (${percent(after.confidence)}, ${after.freshness})`;
  const changed = JSON.stringify(before.value) !== JSON.stringify(after.value);
  return paragraphs([
    `${current}${changed ? `; it was kept as ${outside(shown(before.value))}` : ""}\n${note}`,
    block(
      "EVIDENCE",
      evidence.map(
        ({ observed_at, value, source, epistemic_class, supports }) =>
          `- ${day(observed_at)} ${supports ? "says" : "denies it, says"} ${shown(value, 300)} (${source}, ${epistemic_class})`,
      ),
    ),
    `entity id: ${output.entity_id}`,
  ]);
}

const factSavedText = ({ fact, section, mode, superseded }: Answer<typeof saveFact>): string =>
  `${section} is saved (${mode}${superseded ? "; the text before is history" : ""}). fact id: ${fact.id}`;

const noteSavedText = ({ note, doc_type, entity_id }: Answer<typeof saveNote>): string =>
  `Saved as ${doc_type}${note.metadata.title ? ` “${line(note.metadata.title)}”` : ""}. note id: ${note.id}, entity id: ${entity_id}`;

const notesText = ({ documents, warning }: Answer<typeof searchNotes>): string =>
  paragraphs([
    documents.length === 0 && "No note answers that.",
    block(
      "NOTES",
      documents.map(
        ({ id, type, title, date, snippet, entity_id, thread_id }) =>
          `- ${day(date)} ${type}${title ? ` “${line(title)}”` : ""}: ${line(snippet)} [${thread_id ? `thread:${thread_id}` : `note:${id}`}, on ${entity_id}]`,
      ),
    ),
    warning,
  ]);

const partyOf = ({ name, address }: { name: string | null; address: string }): string => line(name ?? address);

function threadsText(output: Answer<typeof listThreads>): string {
  if ("candidates" in output) return whichOne(output);
  const { threads, entity_id } = output;
  return paragraphs([
    threads.length === 0 && "No conversation by e-mail that you may see.",
    block(
      "CONVERSATIONS",
      threads.map(
        ({ id, subject, last_at, messages, last, waits_for }) =>
          `- ${minute(last_at)} ${subject ? `“${line(subject)}”` : "mail"}, ${counted(messages, "message")}, last from ${partyOf(last.from)}${last.snippet ? `: ${line(last.snippet)}` : ""}${waits_for ? ` (waits for ${waits_for})` : ""} [thread:${id}]`,
      ),
    ),
    `entity id: ${entity_id}`,
  ]);
}

/** A conversation, as fetch reads it. */
export const threadText = ({ messages }: Answer<typeof getThread>): string =>
  outsideLines(
    messages.map(({ sent_at, from, to, subject, text, visible }) =>
      [
        `- ${minute(sent_at)} from ${partyOf(from)} to ${to.map(partyOf).join(", ")}${subject ? `: “${line(subject)}”` : ""}`,
        text ?? (visible === "everything" ? "(no text is kept)" : "(what it says is not shared with you)"),
      ].join("\n"),
    ),
  );

function statusText({ workspace, plan, setup, next_steps }: Answer<typeof getWorkspaceStatus>): string {
  const { gtm_playbook, integrations } = setup;
  return paragraphs([
    `${line(workspace.name)}${workspace.website ? ` (${workspace.website})` : ""}, plan ${plan.name}. workspace id: ${workspace.id}`,
    `${counted(gtm_playbook.facts, "fact")} in the GTM profile, ${counted(integrations.count, "connected system")}.`,
    next_steps.length === 0
      ? "Everything is set up."
      : `NEXT STEPS\n${next_steps.map(({ title, why, how }) => `- ${title}. ${why} ${how}`).join("\n")}`,
  ]);
}

const profileSavedText = ({ workspace }: Answer<typeof setWorkspaceProfile>): string =>
  `Saved. ${Object.entries(workspace)
    .filter(([field, value]) => value !== null && field !== "entity_id")
    .map(([field, value]) => `${field}: ${shown(value)}`)
    .join(", ")}`;

const scoringText = ({ version, builder, signals, notes }: Answer<typeof buildScoringModel>): string =>
  paragraphs([
    `Scoring model ${version} is saved, built ${builderWords[builder]}. Everyone is scored in the background.`,
    block("SIGNALS", signals.map(signalLine)),
    block(
      "CHECK",
      notes.map((note) => `- ${line(note)}`),
    ),
  ]);

/** A signal of a scoring model with what it looks for. */
export const signalLine = ({ label, weight, rule: { feature, op, value, disqualify } }: Signal): string =>
  `- ${weight > 0 ? "+" : ""}${weight} ${line(label)}: ${[feature, op, value === undefined ? "" : shown(value, 200)].join(" ").trim()}${disqualify ? " (disqualifies)" : ""}`;

const builderWords = {
  given: "from the signals given",
  rules: "from the words of the GTM profile",
  llm: "by a language model from the GTM profile",
} as const;

const connectedText = ({ connection, message }: Answer<typeof connectIntegration>): string =>
  `${message} connection id: ${connection.id}`;

const triggersText = ({ triggers }: Answer<typeof listTriggers>): string =>
  triggers.length === 0
    ? "There are no triggers."
    : triggers
        .map(
          ({ id, name, url, events, status, waiting, message }) =>
            `- ${name ? `${line(name)}: ` : ""}${events.join(", ")} → ${line(url)} (${status}, ${waiting} waiting) [${id}]${message ? ` ${line(message)}` : ""}`,
        )
        .join("\n");

const triggerSetText = ({ trigger, secret }: Answer<typeof createTrigger>): string =>
  `${trigger.events.join(", ")} go to ${line(trigger.url)}. ${secret === null ? "There was such a trigger; nothing was changed." : `Keep the signing secret now, it is not shown again: ${secret}`}\ntrigger id: ${trigger.id}`;

function crmSyncText({ config }: Answer<typeof configureCrmSync>): string {
  const { provider, ...rules } = config;
  const lines = Object.entries(rules).map(([field, value]) => `${field}: ${shown(value)}`);
  return `${provider} is configured. ${lines.join(", ")}`;
}

function approvalText({ summary, status, decided_by, reason, result }: Answer<typeof getApproval>): string {
  const by = decided_by ? ` by ${line(decided_by)}` : "";
  const sentences: Record<typeof status, string> = {
    pending: "It is not decided yet. Nothing was changed.",
    approved: `It was approved${by} and is done.`,
    rejected: `It was rejected${by}. Nothing was changed.`,
    failed: `It was approved${by}, but could not be done. Nothing was changed.`,
    expired: "It expired before it was decided. Nothing was changed.",
    cancelled: "It was cancelled. Nothing was changed.",
  };
  return paragraphs([
    `${line(summary)}\n${sentences[status]}${reason ? ` Reason: ${line(reason)}` : ""}`,
    result !== null && `RESULT\n${shown(result, 2_000)}`,
  ]);
}

const factsText = ({ facts }: Answer<typeof listFacts>, { categories }: ToolInput): string =>
  renderProfile(facts, Array.isArray(categories) ? categories.map(String) : undefined);

const propertiesText = ({ properties }: Answer<typeof listProperties>): string =>
  paragraphs(
    (["person", "company"] as const).map((subject) =>
      block(
        subject === "person" ? "PEOPLE" : "COMPANIES",
        properties
          .filter((property) => property.subject === subject && (property.records > 0 || property.standard))
          .map(
            ({ name, type, records, capped, samples }) =>
              `- ${name} (${type}): ${records}${capped ? "+" : ""}${samples.length > 0 ? `, such as ${samples.map((sample) => shown(sample, 60)).join(", ")}` : ""}`,
          ),
      ),
    ),
  );

function peopleText({ people, total, next_cursor }: Answer<typeof listPeople>): string {
  const lines = people.map((person) => {
    const name = [person.first_name, person.last_name].filter(Boolean).join(" ") || person.email || person.id;
    const role = [person.job_title, person.company].filter(Boolean).join(" at ");
    const score = person.icp_score === null ? "no score" : `score ${person.icp_score}`;
    const active = person.last_activity_at === null ? "never active" : `active ${day(person.last_activity_at)}`;
    const facts = [role, person.email, score, person.pipeline_stage, active].filter(Boolean);
    return `- ${line(name)}: ${line(facts.join(", "))} [${person.id}]`;
  });
  const count = total && `${total.count}${total.capped ? "+" : ""}`;
  return paragraphs([
    people.length === 0 ? "No one matches." : `${count ?? people.length} match, ${people.length} shown.`,
    block("PEOPLE", lines),
    next_cursor && `More with cursor: ${next_cursor}`,
  ]);
}

const bulkText = ({ bulk_action: { id, state, filters, list_id } }: Answer<typeof createBulkAction>): string =>
  `A job adds all people that ${JSON.stringify(filters)} finds (${state}). list id: ${list_id}; find_people with it shows who is in. job id: ${id}`;

function taskLine({ id, title, due, entity_name, assignee, done }: Task): string {
  const when = due === null ? "" : ` due ${due.length === 10 ? due : minute(due)}`;
  const about = entity_name === null ? "" : ` (${line(entity_name)})`;
  return `- ${done ? "done: " : ""}${line(title)}${about}${when}, ${assignee ? assignee.email : "not assigned"} [${id}]`;
}

const taskText = ({ task }: Answer<typeof createTask>): string => outside(taskLine(task));

const tasksText = ({ tasks, has_more }: Answer<typeof listTasks>): string =>
  paragraphs([tasks.length === 0 && "No tasks.", block("TASKS", tasks.map(taskLine)), has_more && "There are more."]);

function changesText({ records, changed, has_more, next_cursor }: Answer<typeof summariseChanges>): string {
  const lines = records.map(
    ({ entity_id, name, company, changes, more }) =>
      `- ${line(name)}${company ? `, ${line(company)}` : ""}: ${changes.map((one) => line(one, 300)).join("; ")}${more > 0 ? `; and ${more} more` : ""} [${entity_id}]`,
  );
  return paragraphs([
    changed === 0
      ? "Nothing changed."
      : `${counted(changed, "record")} changed${records.length < changed ? `, the latest ${records.length} are shown` : ""}.`,
    block("CHANGES", lines),
    has_more && `There are later changes: call again with cursor ${next_cursor}.`,
  ]);
}

const scoreText = ({ model_version, results }: Answer<typeof scoreRows>): string =>
  model_version === null
    ? "There is no scoring model yet: build_scoring_model makes one."
    : outsideLines(
        results.map(
          ({ focus, score, tier, reason, entity_id }) =>
            `- ${line(focus)}: ${score === null ? "no score, nothing that the model looks at is known" : `${score}, ${tier}. ${line(reason ?? "")}`}${entity_id ? ` [${entity_id}]` : ""}`,
        ),
      );

/** How the answer of an operation reads as text, by the operation's name. */
export const texts: Readonly<Record<string, (output: never, input: ToolInput) => string>> = {
  getContext: contextText,
  getAccount: accountText,
  recordObservations: recordText,
  queryObservations: queryText,
  listAttention: attentionText,
  verifyClaim: verifyText,
  listFacts: factsText,
  listProperties: propertiesText,
  listPeople: peopleText,
  createBulkAction: bulkText,
  saveFact: factSavedText,
  saveNote: noteSavedText,
  searchNotes: notesText,
  listThreads: threadsText,
  getWorkspaceStatus: statusText,
  setWorkspaceProfile: profileSavedText,
  connectIntegration: connectedText,
  buildScoringModel: scoringText,
  configureCrmSync: crmSyncText,
  getApproval: approvalText,
  listTriggers: triggersText,
  createTrigger: triggerSetText,
  createTask: taskText,
  updateTask: taskText,
  listTasks: tasksText,
  summariseChanges: changesText,
  scoreRows: scoreText,
};
