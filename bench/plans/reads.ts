/** What the declared statements read in a large workspace, asked as the app asks: rows looked at, beside rows that come of it. */
import pg from "pg";
import type { Statement } from "#lib/core/context.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { connectionOptions } from "#lib/db/pool.ts";
import { executing, explained, type Node, nodesOf, rowsOf } from "../costs/plan.ts";
import { refusalOf } from "../scale/statements.ts";

/** `of`: the rows that a statement returns or changes, or the ids that it is asked about. */
export type Reading = { name: string; rows: number; of: number };

/** The plans that a statement may have: one for all values, which work that reads keeps, and one for those it is given. */
const MODES = ["force_generic_plan", "force_custom_plan"] as const;

/**
 * The worst reading of each statement, by both kinds of plan: with ids that no record has, and with the given ids, which should be of records
 * with many rows. Statements that the database refuses for their values (a key that exists) are left out.
 */
export async function readingsOf(
  url: string,
  workspace: WorkspaceId,
  whose: readonly (readonly string[])[],
  statements: readonly Statement[],
): Promise<Reading[]> {
  const client = new pg.Client({
    connectionString: url,
    options: connectionOptions({ bypasses: false, becomes: false }),
  });
  await client.connect();
  const readings = new Map<string, Reading>();
  try {
    for (const statement of statements)
      for (const ids of [[newId()], ...whose]) {
        if (ids.length > 1 && statement.name.endsWith("_one")) continue; // sent for one row
        const send = async ({ text, values }: { text: string; values: unknown[] }) => {
          await client.query("DEALLOCATE ALL");
          await client.query(`PREPARE asked AS ${text}`);
          const execute = executing(client, values);
          for (const mode of MODES) {
            await client.query(`SET LOCAL plan_cache_mode = ${mode}; SAVEPOINT before`);
            const plan = await explained(client, execute);
            const of = Math.max(ids.length, Math.round(givenBy(plan)));
            keepWorse(readings, { name: statement.name, rows: Math.round(rowsOf(plan)), of });
            await client.query("ROLLBACK TO SAVEPOINT before");
          }
        };
        const error = await refusalOf(client, statement, { workspace, ids, send });
        await client.query("DEALLOCATE ALL");
        // Values that are all equal may be too many for one row; the statement itself was run with one.
        if (error && ids.length === 1) throw new Error(`${statement.name}: ${error.message}`);
      }
    return [...readings.values()];
  } finally {
    await client.end();
  }
}

function keepWorse(readings: Map<string, Reading>, reading: Reading): void {
  const worst = readings.get(reading.name);
  if (!worst || reading.rows / reading.of > worst.rows / worst.of) readings.set(reading.name, reading);
}

/** So few rows are never much. */
const FEW = 100;

/** Whether a statement reads more than ten times what comes of it. */
export const isMuch = ({ rows, of }: Reading): boolean => rows > FEW && rows > 10 * of;

/** The rows that a plan returns, or changes. */
const givenBy = (plan: Node): number =>
  Math.max(
    plan["Actual Rows"],
    ...nodesOf(plan)
      .filter((node) => node["Node Type"] === "ModifyTable")
      .flatMap(({ Plans = [] }) => Plans.map((each) => each["Actual Rows"] * each["Actual Loops"])),
  );
