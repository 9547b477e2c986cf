import { type Naming, nameOf } from "#lib/domain/names/service.ts";
import type { ChangeRow } from "./queries.ts";

/**
 * Prints the rows of a page, each a `Change` as JSON behind its cursor. By hand, because values come as JSON and are not read for
 * it; records, sources and actors have several rows on a page.
 */
export function printerOfChanges(): (row: ChangeRow, cursor: string) => string {
  const names = onceEach((naming) => JSON.stringify(nameOf(JSON.parse(naming) as Naming)));
  const quoted = onceEach((text) => JSON.stringify(text));
  return (row, cursor) => {
    const { type, at, id, entityId, otherId, naming, property, value, previous, source, actor, causedBy } = row;
    const name = naming === null ? "null" : names(naming);
    let text = `{"cursor":"${cursor}","type":"${type}","at":"${at}"`;
    if (id !== null) text += `,"id":"${id}"`;
    text += `,"entity_id":"${entityId}","entity_name":${name}`;
    if (property !== null) text += `,"property":${quoted(property)},"value":${value}`;
    if (otherId !== null) text += `,"value":{"merge_id":"${id}","other_id":"${otherId}"}`;
    if (previous !== null) text += `,"previous":${previous}`;
    text += `,"source":${quoted(source)},"actor":${quoted(actor)}`;
    return causedBy === null ? `${text}}` : `${text},"caused_by":"${causedBy}"}`;
  };
}

/** The function, asked once for each text. */
function onceEach(of: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = of(text);
    known.set(text, made);
    return made;
  };
}
