import { createHash } from "node:crypto";
import type { Statement } from "#lib/core/context.ts";
import { singleton } from "#lib/core/singleton.ts";
import type { Db } from "./handle.ts";

const plans = singleton("list-plans", () => ({ byText: new Map<string, Statement>() }));

/** Shapes with a plan of their own, which each connection and its server process keep for good. People use a few dozen. */
const MOST_SHAPES = 300;

/**
 * A statement per shape of list; its name is its text's hash, so that equal shapes share a plan. Filters, orders and page
 * sizes make tens of thousands of shapes: what comes after the first few hundred is planned each time.
 */
export function statementOf(text: string, plannedEachTime = false): Statement {
  if (plannedEachTime) return { name: "", text };
  let plan = plans.byText.get(text);
  if (!plan) {
    if (plans.byText.size >= MOST_SHAPES) return { name: "", text };
    plan = { name: `list_${createHash("sha256").update(text).digest("hex").slice(0, 20)}`, text };
    plans.byText.set(text, plan);
  }
  return plan;
}

/** A statement whose `row` is the JSON of each row of a page; and its values. */
export type Page = { text: string; values: unknown[] };

/**
 * The rows of a page. They come as one value: otherwise each row of an answer is read and made into an object, which takes longer
 * than printing it. JSON is written in one line, so lines are rows.
 */
export async function send(db: Db, { text, values }: Page, plannedEachTime = false): Promise<string[]> {
  const joined = `SELECT string_agg(page.row, E'\\n') AS rows FROM (${text}) AS page`;
  const [answer] = await db.query<{ rows: string | null }>(statementOf(joined, plannedEachTime), values);
  return answer?.rows?.split("\n") ?? [];
}

/** Page sizes that get statements of their own. */
export const MOST_WRITTEN = 200;

/** The rows of a page of which the keys are known; a key is an id. */
export const rowsOfKeys = (table: string, row: string, keys: string, order: string): string =>
  `SELECT ${row} AS row FROM (${keys}) AS k JOIN ${table} p ON p.workspace_id = $workspace AND p.id = k.key ORDER BY ${order}`;
