import { type Naming, nameOf } from "#lib/domain/records/names/service.ts";
import type { ChangeRow } from "./queries.ts";

/**
 * Prints the rows of a page, each a `Change` as JSON behind its cursor. Values come as JSON and are not read for it; records,
 * and what sources say of properties, have several rows on a page.
 */
export function printerOfChanges(): (row: ChangeRow, cursor: string) => string {
  const named = onceEach((naming) => `,"entity_name":${JSON.stringify(nameOf(JSON.parse(naming) as Naming))}`);
  const membersOnce = onceEach(membersOf);
  return ({ head, naming, said: by, value, previous, mergeId, otherId, causedBy }, cursor) => {
    const { property, source } = membersOnce(by);
    let text = `{"cursor":"${cursor}",${head}${naming === null ? NAMELESS : named(naming)}`;
    if (value !== null) text += property + value;
    if (otherId !== null) text += `,"value":{"merge_id":"${mergeId}","other_id":"${otherId}"}`;
    if (previous !== null) text += `,"previous":${previous}`;
    return causedBy === null ? `${text}${source}}` : `${text}${source},"caused_by":"${causedBy}"}`;
  };
}

const NAMELESS = ',"entity_name":null';

/** The members with the property, up to its value, and with source and actor. */
function membersOf(text: string): { property: string; source: string } {
  const [actor = "", property = "", ...lines] = text.split("\n");
  return {
    property: `,"property":${JSON.stringify(property)},"value":`,
    source: `,"source":${JSON.stringify(lines.join("\n"))},"actor":${JSON.stringify(actor)}`,
  };
}

/** The function, asked once for each text. */
function onceEach<T>(of: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const result = results.get(text);
    if (result !== undefined) return result;
    const made = of(text);
    results.set(text, made);
    return made;
  };
}

/** When a row was recorded, as its printed head says after the type. */
export const atOf = ({ head }: Pick<ChangeRow, "head">): string =>
  /^"type":"[^"]*","at":"([^"]+)"/.exec(head)?.[1] ?? "";
