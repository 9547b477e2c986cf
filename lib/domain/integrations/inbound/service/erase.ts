import type { Db } from "#lib/db/handle.ts";
import { recordOf } from "#lib/providers/fields.ts";
import { emptyDeliveries, lockDeliveries, type Mentioning, reduceDelivery } from "../queries.ts";
import { inboundOf, titleOf } from "../rules/providers.ts";
import { withoutPeople } from "../rules/without-people.ts";

/**
 * Removes what deliveries say about some people, by their ids and identifiers. One that is still to be recorded keeps what
 * it says about others, so that their meeting is not lost; of every other one nothing is needed any more.
 */
export async function redactDeliveries(db: Db, ids: readonly string[], identifiers: readonly string[]): Promise<void> {
  const emptied: string[] = [];
  for (const delivery of await lockDeliveries(db, ids, identifiers)) {
    const rest = restOf(delivery, identifiers);
    const others = delivery.contactIds.filter((id) => !ids.includes(id));
    if (rest) await reduceDelivery(db, delivery.id, rest, others);
    else emptied.push(delivery.id);
  }
  await emptyDeliveries(db, emptied, ids);
}

function restOf({ provider, status, payload, receivedAt }: Mentioning, identifiers: readonly string[]) {
  if (status !== "pending" && status !== "failed") return null;
  const rest = withoutPeople(provider, recordOf(JSON.parse(payload)), identifiers);
  return rest && { payload: JSON.stringify(rest), title: titleOf(inboundOf(provider).read(rest, receivedAt)) };
}
