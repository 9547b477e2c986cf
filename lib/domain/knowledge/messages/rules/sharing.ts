import { leastOpen, type ShareLevel } from "../words.ts";

/** What a member set apart, by thread and by person. */
export type Apart = ReadonlyMap<string, ShareLevel>;

/**
 * How much of a message its holder lets others see: nothing when one of its people is never shared, else what is set for its thread, else
 * the least open of what is set for its people, else the mailbox's level. Never more than the workspace allows. `entities`: the ids of each
 * of its people, those merged into them included.
 */
export function shareOf(
  { thread, entities }: { thread: string; entities: readonly (readonly string[])[] },
  { mailbox, apart, ceiling }: { mailbox: ShareLevel; apart: Apart; ceiling: ShareLevel },
): ShareLevel {
  const people = entities.flatMap((ids) => ids.flatMap((id) => apart.get(id) ?? []));
  if (people.includes("nothing")) return "nothing";
  const wanted = apart.get(thread) ?? (people.length > 0 ? leastOpen(people) : mailbox);
  return leastOpen([wanted, ceiling]);
}
