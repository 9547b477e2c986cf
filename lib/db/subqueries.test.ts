/** Subqueries that a plan may run again for each row of another table, whatever they cost and lock. */
import { globSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { declared } from "./statement.ts";

const root = path.resolve(import.meta.dirname, "../..");

type Subquery = { before: string; own: string };

/** The parenthesised SELECTs of a statement: the text before each, and its own without that of those inside it. */
function subqueriesIn(text: string): Subquery[] {
  const open: number[] = [];
  const found: Subquery[] = [];
  for (const [place, letter] of [...text].entries()) {
    if (letter === "(") open.push(place);
    if (letter !== ")") continue;
    const start = open.pop() ?? 0;
    const own = withoutParts(text.slice(start + 1, place));
    if (/^\s*(SELECT|WITH)\b/.test(own)) found.push({ before: text.slice(0, start).trimEnd(), own });
  }
  return found;
}

function withoutParts(text: string): string {
  const part = /\([^()]*\)/g;
  const outer = text.replaceAll(part, "");
  return outer === text ? text : withoutParts(outer);
}

const WRITES = /\b(UPDATE|DELETE FROM)\b/;
const LOCKS = /\bFOR (UPDATE|NO KEY UPDATE|SHARE|KEY SHARE)\b/;
const ONCE = /\b(ARRAY|AS MATERIALIZED|LATERAL)$/;

/**
 * A limited or locking subquery that another table is joined to: the planner makes it the inner side of a nested loop when the
 * statistics say that there are few rows. Postgres never folds a CTE that locks into what reads it.
 */
const mayRunAgain = (statement: string): boolean =>
  subqueriesIn(statement).some(({ before, own }) => {
    const locks = LOCKS.test(own);
    if (!locks && !(WRITES.test(statement) && /\bLIMIT\b/.test(own))) return false;
    if (ONCE.test(before) || /\bFROM unnest\b/.test(own)) return false;
    if (/\bAS$/.test(before)) return !locks;
    return locks || /\b(IN|USING|JOIN)$/.test(before);
  });

const again = [
  "DELETE FROM a WHERE seq IN (SELECT seq FROM a ORDER BY seq LIMIT $1)",
  "DELETE FROM a WHERE (b, c) IN (SELECT b, c FROM a WHERE d < now() LIMIT $1)",
  "DELETE FROM a USING (SELECT seq FROM a LIMIT $1) AS first WHERE a.seq = first.seq",
  "UPDATE a SET b = 1 FROM c JOIN (SELECT id FROM c LIMIT $1) AS d ON true",
  "WITH first AS (SELECT seq FROM a LIMIT $1) DELETE FROM a USING first WHERE a.seq = first.seq",
  "SELECT FROM a JOIN b ON b.id = a.id WHERE a.id IN (SELECT id FROM c FOR UPDATE SKIP LOCKED)",
];
const once = [
  "DELETE FROM a WHERE seq = ANY (ARRAY(SELECT seq FROM a ORDER BY seq LIMIT $1 FOR UPDATE SKIP LOCKED))",
  "WITH first AS MATERIALIZED (SELECT seq FROM a LIMIT $1) DELETE FROM a USING first WHERE a.seq = first.seq",
  "WITH held AS (SELECT id FROM a ORDER BY id LIMIT $1 FOR UPDATE) UPDATE a SET b = 1 FROM held WHERE a.id = held.id",
  "DELETE FROM a WHERE seq = ANY (ARRAY(SELECT d.seq FROM b CROSS JOIN LATERAL (SELECT seq FROM a WHERE a.b = b.id LIMIT 1) AS d LIMIT $1))",
  "UPDATE a SET b = (SELECT c FROM d WHERE d.a = a.id ORDER BY e LIMIT 1) FROM (SELECT * FROM unnest($1::uuid[]) AS g(id) LIMIT 1) AS g",
];

beforeAll(async () => {
  const files = globSync(["lib/**/queries{.ts,/*.ts}", "lib/db/*.ts"], { cwd: root });
  for (const file of files) if (!file.endsWith(".test.ts")) await import(path.join(root, file));
});

test.each(again)("may run again: %s", (statement) => expect(mayRunAgain(statement)).toBe(true));
test.each(once)("runs once: %s", (statement) => expect(mayRunAgain(statement)).toBe(false));

test("no statement has a limited or locking subquery that a plan may run again: say = ANY (ARRAY(…)) or AS MATERIALIZED", () => {
  expect(declared.length).toBeGreaterThan(250);
  expect(declared.filter(({ text }) => mayRunAgain(text)).map(({ name }) => name)).toEqual([]);
});
