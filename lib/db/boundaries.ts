import pg from "pg";
import { isUuid } from "#lib/core/ids.ts";
import { parsePosition, reached } from "#lib/core/position.ts";
import { together } from "#lib/core/together.ts";
import { crossed } from "./alarms.ts";
import { flushTogether } from "./lease.ts";
import { isDistributed } from "./pool.ts";
import { hasReplica, POSITION } from "./replica.ts";
import { queryOf, sql } from "./statement.ts";

/** What a transaction is under, for as long as it lasts. */
export type Settings = Readonly<Record<string, string>>;

export const WORKSPACE = "rapport.workspace_id";

/** The id; throws for what is none. */
export function requireUuid<Id extends string>(id: Id): Id {
  if (!isUuid(id)) throw new Error(`${WORKSPACE} is not a plain id`);
  return id;
}

/** BEGIN and the transaction's settings. Values are uuids or hex by construction; anything else is refused. */
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
 * Sends what `opening` made, in one write with what follows in the same turn. As one simple query; but a database of several
 * machines sends the text of a setting on to them, and only the setting must be in it.
 */
export const begin = (client: pg.PoolClient, statements: readonly string[]): Promise<unknown> =>
  isDistributed()
    ? together(statements.map((statement) => client.query(statement)))
    : client.query(statements.join("; "));

/** Fails, and with it the transaction, when that is not under this workspace any more. */
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
  /** answers that nothing else waits for */
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
  // At once behind the COMMIT: where the database stands then holds all that was written.
  const placed = hasReplica() ? client.query<{ position: string }>(`SELECT ${POSITION} AS position`) : null;
  const [, , ended, stands] = await together([begun, proven, committed, placed, ...deferred]);
  // Postgres answers a COMMIT of a failed transaction with ROLLBACK: then nothing was written, and that is a fault.
  if ((ended as pg.QueryResult).command !== "COMMIT")
    throw new Error("the transaction was rolled back by the database");
  if (stands) reached(parsePosition((stands as pg.QueryResult<{ position: string }>).rows[0]?.position));
}

/** Undoes a transaction; true when the connection is of further use. */
export const rollback = (client: pg.PoolClient): Promise<boolean> =>
  client.query("ROLLBACK").then(
    () => true,
    () => false,
  );
