/**
 * Every statement that the app declares, sent with harmless values and rolled back: one that a database of several machines
 * refuses is found even when no operation of the exercise needs it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Statement } from "#lib/core/context.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { type BoundQuery, queryOf } from "#lib/db/statement.ts";
import { everyStatement } from "#lib/testing/statements.fixture.ts";
import type { Ground } from "./ground.ts";
import { failureOf, type Ran } from "./operations.ts";

/** Classes of what the machine with the rows refuses of values and rows (22, 23): the statement itself was planned and sent. */
const OF_VALUES = /^2[23]/;

/** Sends statements under the workspace, all that are declared if none are given; returns which were refused, or ended the connection. */
export async function sendStatements(
  { directUrl }: Pick<Ground, "directUrl">,
  workspace: WorkspaceId,
  statements?: readonly Statement[],
): Promise<Ran> {
  const run: Ran = { ran: 0, failures: [] };
  let client = await connect(directUrl);
  for (const statement of statements ?? (await everyStatement())) {
    run.ran++;
    const send = ({ text, values }: BoundQuery) => client.query(text, values);
    const refused = await refusalOf(client, statement, { workspace, ids: [newId()], send });
    if (refused) run.failures.push(failureOf(`statement ${statement.name}`, refused));
    const isUsable = await client.query("ROLLBACK").then(
      () => true,
      () => false,
    );
    if (isUsable) continue;
    await client.end().catch(() => undefined);
    client = await connect(directUrl);
  }
  await client.end();
  return run;
}

/** A connection; waits for a coordinator that a statement ended. */
async function connect(url: string): Promise<pg.Client> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: url, application_name: "rapport-scale" });
    client.on("error", () => undefined); // the statement that was under way fails
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (attempt === 60) throw error;
      await sleep(500);
    }
  }
}

type Trial = {
  workspace: WorkspaceId;
  /** What to say where ids are asked for; every array has as many values. */
  ids: readonly string[];
  /** Sends the statement with its values, in a transaction that is rolled back. */
  send: (bound: BoundQuery) => Promise<unknown>;
};

/** Why a statement cannot be run, whatever its values are; null when it can. */
export async function refusalOf(
  client: pg.Client,
  statement: Statement,
  { workspace, ids, send }: Trial,
): Promise<Error | null> {
  try {
    const types = await typesOf(client, statement, workspace);
    const tried = new Set<string>();
    for (let text = "x"; ; ) {
      tried.add(text);
      await client.query(`BEGIN; SET LOCAL rapport.workspace_id = '${workspace}'; SET LOCAL rapport.erasing = 'on'`);
      const values = types.map(({ type, label }) => harmless(type, label ?? text, ids));
      const refused = await errorOf(send(queryOf(statement, values, workspace)));
      await client.query("ROLLBACK");
      if (refused === null) return null;
      const fitting = await textFor(client, refused.message);
      if (fitting === null || tried.has(fitting)) return OF_VALUES.test(refused.code ?? "") ? null : refused;
      text = fitting;
    }
  } catch (error) {
    return error as Error;
  }
}

const errorOf = (sent: Promise<unknown>) =>
  sent.then(
    () => null,
    (error: Error & { code?: string }) => error,
  );

type Type = { type: string; label: string | null };

const TYPES = `SELECT format_type(t.oid, NULL) AS type,
     (SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid IN (t.oid, t.typelem) ORDER BY e.enumsortorder LIMIT 1) AS label
   FROM pg_prepared_statements p CROSS JOIN LATERAL unnest(p.parameter_types::oid[]) WITH ORDINALITY AS u(oid, place)
   JOIN pg_type t ON t.oid = u.oid WHERE p.name = 'asked' ORDER BY u.place`;

/** The types of a statement's own parameters; `label` is the first value of an enum. */
async function typesOf(client: pg.Client, statement: Statement, workspace: WorkspaceId): Promise<Type[]> {
  const own = Math.max(0, ...[...statement.text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  await client.query(`PREPARE asked AS ${queryOf(statement, [], workspace).text}`);
  const { rows } = await client.query<Type>(TYPES);
  await client.query("DEALLOCATE asked");
  return rows.slice(0, own);
}

/** A value that means nothing that is there but the first of the ids; of an array, one for each. */
function harmless(type: string, text: string, ids: readonly string[]): unknown {
  if (type.endsWith("[]")) return ids.map((id) => harmless(type.slice(0, -2), text, [id]));
  switch (type) {
    case "uuid":
      return ids[0];
    case "boolean":
      return true;
    case "json":
    case "jsonb":
      return "{}";
    case "timestamp with time zone":
      return new Date();
    case "date":
      return "2026-01-01";
    case "interval":
      return "1 day";
    case "bytea":
      return Buffer.alloc(4);
    case "bigint":
    case "double precision":
    case "integer":
    case "numeric":
    case "real":
    case "smallint":
    case "xid8":
      return 1;
    default:
      return text;
  }
}

const ENUM = /^invalid input value for enum "?(\w+)"?/;

/** What to say where a text becomes an enum or JSON; null when it does not. */
async function textFor(client: pg.Client, message: string): Promise<string | null> {
  if (message.includes("for type json")) return "{}";
  const [, name] = ENUM.exec(message) ?? [];
  if (name === undefined) return null;
  const { rows } = await client.query<{ label: string }>(
    "SELECT enumlabel::text AS label FROM pg_enum WHERE enumtypid = to_regtype($1) ORDER BY enumsortorder LIMIT 1",
    [name],
  );
  return rows[0]?.label ?? null;
}
