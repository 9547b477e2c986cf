import { hash } from "node:crypto";
import { singleton } from "#lib/core/singleton.ts";
import { identifierKey, type Named } from "#lib/domain/records/entities/service.ts";
import { NumberTable } from "../rules/number-table.ts";

/** Which rows of a file were about which identifier: two numbers each, so that a million rows fit into little memory. */
export class Seen {
  private readonly rows = new NumberTable();

  /**
   * The first row about one of these identifiers, which are remembered as this row's; null when this is the first. Taking a
   * row again changes nothing.
   */
  take(named: readonly Named[], row: number): number | null {
    const keys = named.map(keyOf);
    const first = keys.map((key) => this.rows.get(key)).find((known) => known !== undefined);
    for (const key of keys) this.rows.add(key, first ?? row);
    return first === row ? null : (first ?? null);
  }
}

/** 48 bits: two of a million identifiers share one in one file of 500. As text, because a buffer each costs more than the hash. */
const keyOf = (named: Named): number => Number.parseInt(hash("md5", identifierKey(named), "hex").slice(0, 12), 16);

type Kept = { key: string; position: number; seen: Seen };
const kept = singleton<{ one: Kept | null }>("import-seen", () => ({ one: null }));

/** What this process knows of the rows before a position, and maybe of some after it; null when it worked on something else meanwhile. */
export const seenUntil = (key: string, position: number): Seen | null =>
  position > 0 && kept.one?.key === key && kept.one.position === position ? kept.one.seen : null;

export function keepSeen(key: string, position: number, seen: Seen): void {
  kept.one = { key, position, seen };
}
