import { labelOf } from "#lib/domain/crm/timeline/service.ts";
import { nameOf } from "#lib/domain/records/names/service.ts";
import { formatTime } from "#lib/text/time.ts";
import type { EventRow, Facts } from "../queries/events.ts";

/** Larger metadata is left out: a webhook should be small, and the record has it. */
const MOST_METADATA = 8 * 1024;

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The data of an event's body. */
export function dataOf(workspaceId: string, event: EventRow, facts: Facts): Record<string, unknown> {
  const about = {
    workspace_id: workspaceId,
    entity_id: facts.entityId,
    entity_type: facts.type,
    entity_name: nameOf(facts),
    email: facts.email,
    domain: facts.domain,
    source: facts.source ?? textOrNull(event.data.source),
  };
  return { ...about, ...changeOf(event, facts) };
}

function changeOf(event: EventRow, facts: Facts): Record<string, unknown> {
  const { type, data, at } = event;
  const { causedBy } = facts;
  if (type.startsWith("activity.")) {
    return {
      activity_id: event.observationId,
      activity_type: type.slice("activity.".length),
      occurred_at: formatTime(facts.observedAt ?? at),
      external_id: facts.externalId,
      previous: null,
      value: happened(facts),
      caused_by: causedBy,
    };
  }
  switch (type) {
    case "stage.advanced":
      return { previous: data.from ?? null, value: data.to, caused_by: data.activity_id ?? causedBy };
    case "contact.created":
      return { previous: null, value: { pipeline_stage: facts.stage ?? "identified" }, caused_by: causedBy };
    case "fact.recorded":
      return factChange(facts);
    case "note.saved":
      return {
        note_id: data.note_id,
        previous: null,
        value: { id: data.note_id, ...(facts.note ?? { title: null, type: "note", date: formatTime(at) }) },
        caused_by: causedBy,
      };
    default: {
      // The slice that emits the event says what changed.
      const { source: _, ...said } = data;
      return { ...said, previous: data.previous ?? null, caused_by: data.caused_by ?? causedBy };
    }
  }
}

function happened({ value }: Facts) {
  const { metadata } = record(value);
  const fits = metadata !== undefined && JSON.stringify(metadata).length <= MOST_METADATA;
  return { description: labelOf(value), metadata: fits ? metadata : null };
}

/** The id of a fact is the part of its property behind `note.`. */
function factChange({ property, value, superseded, causedBy }: Facts): Record<string, unknown> {
  const statement = (id: string, value: unknown) => {
    const { category, content } = record(value);
    return typeof value === "string"
      ? { id, category: "Notes", content: value }
      : { id, category: textOrNull(category) ?? "Notes", content: textOrNull(content) ?? "" };
  };
  const before = textOrNull(record(value).supersedes);
  return {
    previous: before !== null && superseded !== null ? statement(before, superseded) : null,
    value: statement((property ?? "").slice("note.".length), value),
    caused_by: causedBy,
  };
}
