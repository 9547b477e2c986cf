import { LRUCache } from "lru-cache";
import { singleton } from "#lib/core/singleton.ts";
import type { RowPlace } from "../rules/cursors.ts";

const MOST = 10_000;

/** Places of the feed that were its end when a reader came to them, by workspace and place. */
const ends = singleton("feed-ends", () => new LRUCache<string, true>({ max: MOST }));

const keyOf = (workspaceId: string, [writtenIn, seq]: RowPlace): string => `${workspaceId} ${writtenIn} ${seq}`;

/** Remembers that nothing was behind a place: its reader comes back there. */
export function noteEnd(workspaceId: string, place: RowPlace): void {
  ends.set(keyOf(workspaceId, place), true);
}

/**
 * True when nothing was behind a place the last time, in this process: then it is worth asking whether there is anything now
 * before a page is read. It says nothing about what is there.
 */
export const wasEnd = (workspaceId: string, place: RowPlace): boolean => ends.get(keyOf(workspaceId, place)) === true;
