import type { z } from "zod";
import { formatTime } from "#lib/core/time.ts";
import type { Change } from "./contract.ts";
import type { ChangeRow } from "./queries.ts";

type Json = z.core.util.JSONType;

/** A row as the feed shows it; `name` is what its record is called now. */
export function viewOfChange(row: ChangeRow, cursor: string, name: string | null): Change {
  const { type, at, id, entityId, ownerId, otherId, property, value, previous, source, actor, causedBy } = row;
  const observed = property !== null;
  // Who reads from the beginning is told of a record under its own id before it is told what it was merged into.
  const isRecord = type === "person.created" || type === "company.created" || type === "erased";
  return {
    cursor,
    type,
    at: formatTime(at),
    ...(id === null ? {} : { id }),
    entity_id: isRecord ? entityId : (ownerId ?? entityId),
    entity_name: name,
    ...(observed ? { property, value: value as Json } : {}),
    ...(otherId === null ? {} : { value: { merge_id: id, other_id: otherId } }),
    ...(row.hasPrevious ? { previous: previous as Json } : {}),
    source,
    actor,
    ...(causedBy === null ? {} : { caused_by: causedBy }),
  };
}
