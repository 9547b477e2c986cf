import { digestOf } from "#lib/text/digest.ts";
import { DAY_MS } from "#lib/text/time.ts";

/** What of a meeting makes it this one. */
export type Identity = { uid: string; planned: Date | null; organizer: string | null };

/** The same for the same meeting in every calendar. */
export const keyOf = ({ uid, planned, organizer }: Identity): string => digestOf([uid, planned, organizer]);

/** The longest UID that agents may repeat as an external id, with the time of a repeated meeting behind it. */
const LONGEST = 200;

/** The external id of a meeting on timelines: its UID, and of a repeated one the time that was planned. */
export function idOf({ uid, planned }: Omit<Identity, "organizer">): string {
  const name = Buffer.byteLength(uid) <= LONGEST ? uid : `sha256:${digestOf(uid)}`;
  return planned ? `${name}/${planned.toISOString()}` : name;
}

type Time = { occurrence: string; planned: Date | null };

/**
 * Which new times of a repeated meeting are those that are gone, when all of them were moved: the nearest within a day, each once.
 */
export function movedTimes<Gone extends Time, New extends Time>(
  gone: readonly Gone[],
  fresh: readonly New[],
): Map<New, Gone> {
  const pairs = new Map<New, Gone>();
  const left = new Set(gone);
  for (const one of fresh) {
    const away = ({ planned }: Time) => Math.abs((planned?.getTime() ?? 0) - (one.planned?.getTime() ?? 0));
    const [nearest] = [...left].toSorted((a, b) => away(a) - away(b));
    if (!nearest?.planned || !one.planned || away(nearest) >= DAY_MS) continue;
    pairs.set(one, nearest);
    left.delete(nearest);
  }
  return pairs;
}
