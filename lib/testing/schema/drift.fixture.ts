/** The differences between the migrations and the schema files, as far as Prisma can express them. */
import type pg from "pg";
import { administer } from "../postgres.ts";
import { differenceOf } from "./engine.fixture.ts";

/** One statement that leads from the database to the schema files. */
export type Step = { what: string; sql: string };

/**
 * The statements the database at `url` lacks. What only migrations can express (below) does not count as a difference.
 */
export async function driftOf(url: string, root?: string): Promise<Step[]> {
  const steps = stepsOf(await differenceOf(url, root));
  return administer(url, async (client) => {
    const real: Step[] = [];
    for (const step of steps) if (!(await isSettled(client, step))) real.push(step);
    return real;
  });
}

/** The engine heads each statement with a comment that names its kind. */
export const stepsOf = (script: string): Step[] =>
  script
    .split(/^-- (?=[A-Z]\w+$)/m)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const [what = "", ...lines] = part.split("\n");
      return { what, sql: lines.join("\n").trim() };
    });

/**
 * Indexes belong to the migrations, which can express more about them than the schema files (NULLS LAST, INCLUDE, GIN
 * with two columns) and name their query: one that the schema files leave out stays, one that exists under its name
 * counts as there. A column that has the type already has it, even if the engine uses another name for it.
 */
async function isSettled(client: pg.Client, { what, sql }: Step): Promise<boolean> {
  if (what === "DropIndex") return true;
  const index = /^CREATE (?:UNIQUE )?INDEX "([^"]+)"/.exec(sql)?.[1];
  if (index)
    return (
      (await client.query("SELECT 1 FROM pg_class WHERE relname = $1 AND relkind IN ('i', 'I')", [index])).rows.length >
      0
    );
  const typed = /^ALTER TABLE "([^"]+)" ALTER COLUMN "([^"]+)" SET DATA TYPE ([^,;]+);$/.exec(sql);
  if (!typed) return false;
  const [, table, column, type] = typed as unknown as [string, string, string, string];
  const { rows } = await client.query(
    "SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2",
    [`"${table}"`, column],
  );
  return rows[0]?.type === type.trim().toLowerCase();
}
