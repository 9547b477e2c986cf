import type pg from "pg";
import { singleton } from "#lib/core/singleton.ts";

/**
 * What a database can do. One machine can do all of it; where the tenants are spread over several (`distribute.ts`), the
 * database can do none of it.
 */
export type Abilities = {
  /** Takes the beginning of a transaction as one text. Several machines are sent the whole text that a setting is in. */
  readonly opensInOneText: boolean;
  /** Takes settings without BEGIN, for the statements in the same message group. Several machines get only what is SET after it. */
  readonly readsInGroups: boolean;
  /** Keeps one plan of a statement for all workspaces. For several machines the workspace says where to send it. */
  readonly plansOnce: boolean;
  /** Gives transactions numbers in one order. Of several machines each counts its own. */
  readonly ordersTransactions: boolean;
  /** Has replicas that say how far they have come. One of a coordinator does not know how far the workers are. */
  readonly hasReplicas: boolean;
};

export const ofOneMachine: Abilities = {
  opensInOneText: true,
  readsInGroups: true,
  plansOnce: true,
  ordersTransactions: true,
  hasReplicas: true,
};

export const ofSeveralMachines: Abilities = {
  opensInOneText: false,
  readsInGroups: false,
  plansOnce: false,
  ordersTransactions: false,
  hasReplicas: false,
};

const SPREAD =
  "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('entities') AND partmethod = 'h') AS is";

/** What the database of a connection can do. */
export async function abilitiesOf(client: pg.Client): Promise<Abilities> {
  const engine = await client.query<{ is: boolean }>("SELECT to_regclass('pg_dist_partition') IS NOT NULL AS is");
  const isSpread = engine.rows[0]?.is === true && (await client.query<{ is: boolean }>(SPREAD)).rows[0]?.is === true;
  return isSpread ? ofSeveralMachines : ofOneMachine;
}

const holder = singleton("abilities", () => ({ abilities: ofOneMachine }));

/** What the database of the app's pool can do; known once the pool is open. */
export const abilities = (): Abilities => holder.abilities;

/** What an operator is told whose database has none that can be used (`hasReplicas`). */
export const NO_REPLICAS =
  "DATABASE_REPLICA_URL: where the tenants are spread over several machines, a replica of the coordinator does not say how far the others are. Unset it.";

/** Notes what the database of the app's pool can do. */
export function noteAbilities(abilities: Abilities): void {
  holder.abilities = abilities;
}

/**
 * Lets the transaction of a migration create tables and change others where tenants are spread over several machines;
 * elsewhere these settings have no effect.
 */
export async function allowTableChanges(client: pg.Client): Promise<void> {
  await client.query("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'");
  // The triggers only refuse changes of append-only rows, on the machine of the row.
  await client.query("SET LOCAL citus.enable_unsafe_triggers TO on");
}
