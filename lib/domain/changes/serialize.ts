import { formatTime } from "#lib/core/time.ts";
import type { ChangeRow } from "./queries.ts";

const { stringify } = JSON;

/**
 * A row as the feed shows it, a `Change` as JSON; `name` is what its record is called now. The values in it are the
 * database's own text: to read them only to print them again would take longer than all the rest of a page.
 */
export function textOfChange(row: ChangeRow, cursor: string, name: string | null): string {
  const { type, at, id, entityId, ownerId, otherId, property, value, previous, source, actor, causedBy } = row;
  // Who reads from the beginning is told of a record under its own id before it is told what it was merged into.
  const isRecord = type === "person.created" || type === "company.created" || type === "erased";
  const about = isRecord ? entityId : (ownerId ?? entityId);
  const observed = property === null ? "" : `,"property":${stringify(property)},"value":${value}`;
  const merged = otherId === null ? "" : `,"value":{"merge_id":"${id}","other_id":"${otherId}"}`;
  const before = previous === null ? "" : `,"previous":${previous}`;
  const because = causedBy === null ? "" : `,"caused_by":"${causedBy}"`;
  return `{"cursor":"${cursor}","type":"${type}","at":"${formatTime(at)}"${id === null ? "" : `,"id":"${id}"`},"entity_id":"${about}","entity_name":${stringify(name)}${observed}${merged}${before},"source":${stringify(source)},"actor":${stringify(actor)}${because}}`;
}
