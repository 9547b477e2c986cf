import pg from "pg";
import { isUuid } from "#lib/core/ids.ts";
import { parsePosition, reached } from "#lib/core/position.ts";
import { together } from "#lib/core/together.ts";
import { crossed } from "./alarms.ts";
import { abilities } from "./distributed/abilities.ts";
import { flushTogether } from "./lease.ts";
import { hasReplica, POSITION } from "./replica.ts";
import { queryOf, sql } from "./statement.ts";

/** The settings of a transaction, for as long as it lasts. */
export type Settings = Readonly<Record<string, string>>;

export const WORKSPACE = "rapport.workspace_id";

/** The id; throws when it is not a uuid. */
export function requireUuid<Id extends string>(id: Id): Id {
  if (!isUuid(id)) throw new Error(`${WORKSPACE} is not a plain id`);
  return id;
}

/** BEGIN and the transaction's settings. Values are uuids, hashes in hex or `on`; anything else is refused. */
export function opening(settings: Settings, readOnly: boolean): string[] {
  const statements = [readOnly ? "BEGIN READ ONLY" : "BEGIN"];
  for (const [name, value] of Object.entries(settings)) {
    if (!(isUuid(value) || /^[0-9a-f]{64}$/.test(value) || value === "on"))
      throw new Error(`${name} is not a plain id`);
    statements.push(`SET LOCAL ${name} = '${value}'`);
  }
  return statements;
}

/**
 * Sends the statements of `opening`, in one write with what follows in the same turn. They are one simple query where the
 * database can take them so.
 */
export const begin = (client: pg.PoolClient, statements: readonly string[]): Promise<unknown> =>
  abilities().opensInOneText
    ? client.query(statements.join("; "))
    : together(statements.map((statement) => client.query(statement)));

/** Makes the transaction fail when it is no longer under this workspace. */
const prove = sql(
  "transaction_prove",
  "SELECT 1 / (coalesce(current_setting('rapport.workspace_id', true), '') = $1)::int",
);
const DIVISION_BY_ZERO = "22012";

type Begun = {
  client: pg.PoolClient;
  operation: string;
  /** the answer to `opening` */
  begun: Promise<unknown>;
  settings: Settings;
  /** answers of deferred statements, which nothing else awaits */
  deferred?: readonly Promise<unknown>[];
};

/** Commits, in one write with the proof that the transaction is still under the workspace it began with. */
export async function commit({ client, operation, begun, settings, deferred = [] }: Begun): Promise<void> {
  flushTogether(client);
  const proven = client.query(queryOf(prove, [settings[WORKSPACE] ?? ""], null)).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === DIVISION_BY_ZERO)
      throw crossed(operation, "its transaction was under another workspace when it ended");
    throw error;
  });
  const committed = client.query("COMMIT");
  // Sent right behind the COMMIT: the position read there includes everything that was written.
  const placed = hasReplica() ? client.query<{ position: string }>(`SELECT ${POSITION} AS position`) : null;
  const [, , ended, stands] = await together([begun, proven, committed, placed, ...deferred]);
  // Postgres answers a COMMIT of a failed transaction with ROLLBACK: then nothing was written, which is an error.
  if ((ended as pg.QueryResult).command !== "COMMIT")
    throw new Error("the transaction was rolled back by the database");
  if (stands) reached(parsePosition((stands as pg.QueryResult<{ position: string }>).rows[0]?.position));
}

/** Rolls a transaction back; true when the connection can still be used. */
export const rollback = (client: pg.PoolClient): Promise<boolean> =>
  client.query("ROLLBACK").then(
    () => true,
    () => false,
  );
