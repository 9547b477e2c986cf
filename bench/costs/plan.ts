import pg from "pg";
import utils from "pg/lib/utils.js";
import { connectionOptions } from "#lib/db/pool.ts";
import { database } from "#lib/testing/database.ts";
import type { SentStatement } from "./driver.ts";

/** What plans read: rows of tables and indexes, and blocks of the database's memory. */
export type Reads = { rows: number; blocks: number };

export type Node = {
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Rows Removed by Join Filter"?: number;
  "Node Type": string;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: Node[];
};

/** Rows of tables and entries of indexes that a plan looked at. */
export const rowsOf = (plan: Node): number =>
  nodesOf(plan)
    .filter((node) => (node["Relation Name"] ?? node["Index Name"]) && node["Node Type"] !== "ModifyTable")
    .reduce((sum, node) => sum + ofNode(node) * node["Actual Loops"], 0);

const ofNode = (node: Node): number =>
  node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);

export const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** So often a statement is run before its plan is read: then Postgres has chosen between one plan for all and one for each call. */
const RUNS_BEFORE = 6;

/** What statements read when the app's own role runs them under this workspace, with the plans that a busy connection has. */
export async function readsOf(workspaceId: string, statements: readonly SentStatement[]): Promise<Reads> {
  const client = new pg.Client({
    connectionString: database.url,
    options: connectionOptions({ bypasses: false, becomes: false }),
  });
  await client.connect();
  try {
    const reads: Reads = { rows: 0, blocks: 0 };
    for (const statement of statements) {
      const plan = await planOf(client, workspaceId, statement);
      reads.blocks += (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
      reads.rows += rowsOf(plan);
    }
    return { rows: Math.round(reads.rows), blocks: reads.blocks };
  } finally {
    await client.end();
  }
}

/** SQL that runs the statement prepared as `asked` with values. */
export function executing(client: pg.Client, values: readonly unknown[]): string {
  const literals = values.map((value) => literalOf(client, utils.prepareValue(value)));
  return `EXECUTE asked${literals.length > 0 ? `(${literals.join(", ")})` : ""}`;
}

/** How the database runs a statement, with what that reads. */
export async function explained(client: pg.Client, execute: string): Promise<Node> {
  const { rows } = await client.query<{ "QUERY PLAN": { Plan: Node }[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${execute}`,
  );
  return rows[0]?.["QUERY PLAN"][0]?.Plan as Node;
}

async function planOf(client: pg.Client, workspaceId: string, { name, text, values }: SentStatement): Promise<Node> {
  const execute = executing(client, values);
  await client.query("BEGIN READ ONLY");
  try {
    await client.query(`SELECT set_config('rapport.workspace_id', $1, true)`, [workspaceId]);
    await client.query(`PREPARE asked AS ${text}`);
    // An unnamed statement is planned for its values each time.
    if (name === "") await client.query("SET LOCAL plan_cache_mode = force_custom_plan");
    else for (let run = 0; run < RUNS_BEFORE; run++) await client.query(execute);
    return await explained(client, execute);
  } finally {
    await client.query("ROLLBACK");
    await client.query("DEALLOCATE ALL");
  }
}

const literalOf = (client: pg.Client, value: string | Buffer | null): string => {
  if (value === null) return "NULL";
  if (Buffer.isBuffer(value)) return `'\\x${value.toString("hex")}'`;
  return client.escapeLiteral(value);
};
