import { lock } from "#lib/db/locks.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { evidenceIds, findEntities } from "#lib/domain/records/entities/service.ts";
import { findApart } from "../queries/sharing.ts";
import type { Apart } from "../rules/sharing.ts";

/**
 * Makes this transaction the only one that stores messages of the workspace, or changes what of them is shared: a choice counts for
 * every message, also for one that is being stored. Before any row is locked.
 */
export const holdMail = ({ db }: Pick<Ctx, "db">): Promise<void> => lock(db, "mail");

/** What each of some members chose apart from their mailboxes and calendars, by the member. */
export async function apartOf({ db }: Pick<Ctx, "db">, userIds: Iterable<string>): Promise<Map<string, Apart>> {
  const apart = new Map<string, Apart>();
  for (const userId of new Set(userIds)) apart.set(userId, await findApart(db, userId));
  return apart;
}

/** All ids of the people that some ids stand for, merged ones included, by the id asked for. */
export async function peopleOf(
  { db }: Pick<Ctx, "db">,
  ids: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const entities = await findEntities(db, [...new Set(ids)]);
  const people = new Map<string, readonly string[]>();
  for (const entity of entities.values()) {
    const all = evidenceIds(entity);
    for (const id of all) people.set(id, all);
  }
  return people;
}
