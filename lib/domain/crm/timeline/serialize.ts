import type { z } from "zod";
import { stageOf } from "#lib/domain/crm/recording/service.ts";
import { nameOf } from "#lib/domain/records/names/service.ts";
import { formatTime } from "#lib/text/time.ts";
import type { EventRow, StageChange } from "./queries.ts";
import { labelOf, typeOf } from "./rules.ts";

type Json = z.core.util.JSONType;

type Entry = Omit<EventRow, "firstName" | "lastName" | "email" | "linkedinUrl"> & Partial<EventRow>;

/** `owner` is the entity of the timeline; the people of a company bring their own names. `moved`: the stage it led to. */
export const viewOfEvent = (row: Entry, owner: { id: string; name: string }, moved?: StageChange) => ({
  id: row.id,
  type: typeOf(row.property),
  property: row.property,
  summary: labelOf(row.value),
  value: row.value as Json,
  source: row.source,
  observed_at: formatTime(row.observedAt),
  recorded_at: formatTime(row.recordedAt),
  entity_id: row.entityId,
  entity_name: row.entityId === owner.id ? owner.name : nameOf(row),
  ...(row.corrects ? { corrects: row.corrects } : {}),
  ...(moved
    ? {
        stage_change: { id: moved.id, from: stageOf(moved.from), to: stageOf(moved.to), caused_by: moved.causedBy },
      }
    : {}),
});
