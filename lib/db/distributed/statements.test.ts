/** Statements that a planner for several machines would refuse, or run in the wrong place. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Statement } from "#lib/core/context.ts";
import { enumNames, everyStatement, tenantTables } from "#lib/testing/statements.fixture.ts";
import { EVERYWHERE } from "./distribute.ts";

/** Tables that only the coordinator has. */
const OF_SIGN_IN = /\b(FROM|JOIN)\s+(sessions|password_resets|accounts|throttles|oauth_clients)\b/;

const ENUM_OF_COLUMN = new RegExp(`\\b[a-z_]+(\\.[a-z_]+)?::(${enumNames().join("|")})\\b(?!\\[)`);
const COPIED = `(${EVERYWHERE.join("|")})`;
const WRITES_COPIED = new RegExp(`\\b(UPDATE|INSERT INTO|DELETE FROM) ${COPIED}\\b`);
const SPREAD = tenantTables().filter((table) => !EVERYWHERE.includes(table));
const READS_SPREAD = new RegExp(`\\b(FROM|JOIN|USING) (${SPREAD.join("|")})\\b`);

/** The beginning of an UPDATE that is neither the rest of an INSERT nor a lock on rows; its parentheses come later. */
const UPDATE = /(?<!\b(?:DO|FOR|KEY) )\bUPDATE \w+[^()]*?\bSET /g;

/** What stands in the parentheses that are opened at a place. */
function inParentheses(text: string, opened: number): string {
  let depth = 0;
  for (let place = opened; place < text.length; place++) {
    if (text[place] === "(") depth++;
    if (text[place] === ")" && --depth === 0) return text.slice(opened + 1, place);
  }
  return text.slice(opened + 1);
}

/** A text without what is in parentheses. */
function outsideParentheses(text: string): string {
  let depth = 0;
  let outside = "";
  for (const character of text) {
    if (character === "(") depth++;
    if (depth === 0) outside += character;
    if (character === ")") depth--;
  }
  return outside;
}

/** The text from a place to the end of the parentheses that it is in, or of the whole. */
const restAt = (text: string, place: number): string => inParentheses(`(${text.slice(place)}`, 0);

/** Every UPDATE of a statement, from what it sets on. */
const updatesIn = (text: string): string[] =>
  [...text.matchAll(UPDATE)].map(({ index, 0: { length } }) => restAt(text, index + length));

/** Whether the time is asked for between a CASE and its END, or among the arguments of COALESCE. */
function hasTimeInChoice(text: string): boolean {
  let depth = 0;
  for (const [word] of text.matchAll(/\b(CASE|END)\b|\bnow\(\)/g)) {
    if (word === "CASE") depth++;
    else if (word === "END") depth--;
    else if (depth > 0) return true;
  }
  return [...text.matchAll(/\bcoalesce\(/gi)].some(({ index, 0: { length } }) =>
    /\bnow\(\)/.test(inParentheses(text, index + length - 1)),
  );
}

/** What the columns of an UPDATE are set to. */
function valuesSet(update: string): string[] {
  const values = [""];
  let depth = 0;
  for (const [token] of update.matchAll(/[([\])]|\b(WHERE|FROM|RETURNING)\b|,|[^()[\],]/g)) {
    if (token === "(" || token === "[") depth++;
    if (token === ")" || token === "]") depth--;
    if (depth === 0 && token.length > 1) break;
    if (depth === 0 && token === ",") values.push("");
    else values[values.length - 1] += token;
  }
  return values.map((value) => value.replace(/^\s*\w+\s*=\s*/, "").trim());
}

/** Whether a value is a part of one thing, by its place: `a[1]`, `(a || b)[:2]`; not `a || b[1]`, and no cast to an array. */
function isSubscript(value: string): boolean {
  const [, rest] = /^(?:ARRAY|[\w.$]+)?([([][\s\S]*\S\])$/i.exec(value) ?? [];
  if (rest === undefined || value.endsWith("[]")) return false;
  const first = rest[0] === "(" ? inParentheses(rest, 0).length + 2 : 0;
  return (
    rest[first] === "[" &&
    !/^ARRAY$/i.test(value.slice(0, value.length - rest.length)) &&
    rest.indexOf("]", first) === rest.length - 1
  );
}

/** Whether an INSERT takes rows of a query, and neither returns them nor settles conflicts. */
const insertsSilently = (text: string): boolean =>
  [...text.matchAll(/\bINSERT INTO\b/g)].some(({ index }) => {
    const one = restAt(text, index);
    return /\bSELECT\b/.test(one) && !/\bRETURNING\b|\bON CONFLICT\b/.test(one);
  });

/** Whether the SELECT of an INSERT locks rows itself; what a WITH before it locks is not meant. */
const locksAsItInserts = (text: string): boolean =>
  [...text.matchAll(/\bINSERT INTO\b/g)].some(({ index }) =>
    /\bFOR (NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)\b/.test(outsideParentheses(restAt(text, index))),
  );

type Refusal = [what: string, isRefused: (text: string) => boolean, instances: string[]];
const refusals: Refusal[] = [
  [
    "a function of time where a conflict is settled: say excluded.<column>",
    (text) => /DO UPDATE SET[\s\S]*\b(now|clock_timestamp)\(\)/.test(text),
    ["INSERT INTO a (b) VALUES (1) ON CONFLICT (b) DO UPDATE SET c = now()"],
  ],
  [
    "a cast to text in RETURNING: an enum comes as text anyway",
    (text) => /\bRETURNING\b[^()]*::text/.test(text),
    ["UPDATE a SET b = 1 RETURNING id, kind::text"],
  ],
  [
    "INSERT … SELECT that returns nothing: it would be a COPY, which row level security refuses; say RETURNING NULL",
    insertsSilently,
    [
      "INSERT INTO a (b) SELECT b FROM unnest($1::int[]) AS g(b)",
      "WITH gone AS (DELETE FROM a RETURNING b), kept AS (INSERT INTO c (b) SELECT b FROM gone) SELECT b FROM gone",
    ],
  ],
  [
    "rows that the SELECT of an INSERT locks: lock them in a WITH before it",
    locksAsItInserts,
    [
      "INSERT INTO a (b) SELECT b FROM c WHERE d = ANY($1) FOR KEY SHARE SKIP LOCKED RETURNING NULL",
      "WITH x AS (INSERT INTO a (b) SELECT f(b) FROM c e FOR UPDATE OF e RETURNING b) SELECT b FROM x",
    ],
  ],
  [
    "the clock in what an UPDATE sets: give the time as a value",
    (text) => /\bUPDATE\b[\s\S]*\bSET\b[\s\S]*\b(clock_timestamp|random|gen_random_uuid)\(\)/.test(text),
    ["UPDATE a SET b = clock_timestamp()"],
  ],
  [
    "now() in a CASE or COALESCE of an UPDATE: give the time as a value",
    (text) => updatesIn(text).length > 0 && hasTimeInChoice(text),
    [
      "UPDATE a SET b = coalesce(b, now())",
      "UPDATE a SET b = coalesce((SELECT c FROM d WHERE e < f(now())), 1)",
      "UPDATE a SET b = CASE WHEN $1 THEN now() END WHERE c = 1",
      "UPDATE a SET b = CASE WHEN c THEN CASE WHEN d THEN 1 END ELSE now() END",
    ],
  ],
  [
    "a column cast to an enum in an UPDATE: give an array of the enum, as in unnest($1::lead_status[])",
    (text) => updatesIn(text).some((update) => ENUM_OF_COLUMN.test(update)),
    [
      "UPDATE leads l SET status = g.status::lead_status FROM unnest($1::text[]) AS g(status)",
      "UPDATE leads SET status = given::lead_status FROM unnest($1::text[]) AS given",
      "WITH g AS (SELECT $1::text AS status), l AS (UPDATE leads SET status = coalesce(g.status::lead_status, status) FROM g RETURNING id) SELECT FROM l",
      "WITH l AS (SELECT id FROM leads FOR UPDATE) UPDATE leads SET status = l.status::lead_status FROM l",
    ],
  ],
  [
    "a subscript as the whole of what an UPDATE sets, which ends the coordinator: let it be a part of the value",
    (text) => updatesIn(text).flatMap(valuesSet).some(isSubscript),
    [
      "UPDATE a SET b = (b || $1::text[])[:$2] WHERE c = 1",
      "UPDATE a SET d = 1, b = b[2:]",
      "UPDATE a AS x SET d = f(1, 2), b = ($1::text[])[1] FROM e WHERE c = 1",
      "WITH x AS (UPDATE a SET b = 1 RETURNING c) UPDATE d SET e = (e || $1)[:$2] FROM x",
      "WITH x AS (UPDATE a SET b = 1 RETURNING c), y AS (UPDATE d SET e = e[2:] RETURNING f) SELECT FROM x, y",
    ],
  ],
  [
    "a write to a table that every machine has which reads tenants' tables: ask in a statement before it",
    (text) => WRITES_COPIED.test(text) && READS_SPREAD.test(text),
    [
      "UPDATE workspaces SET has_triggers = EXISTS (SELECT FROM triggers WHERE workspace_id = $workspace) WHERE id = $workspace",
    ],
  ],
  [
    "an outer join by another table's workspace before a LATERAL: say $workspace",
    (text) =>
      /\bLEFT JOIN LATERAL\b/.test(text) &&
      /\bLEFT JOIN \w+ (AS )?\w+ ON \w+\.workspace_id = \w+\.workspace_id\b/.test(text),
    ["SELECT 1 FROM a LEFT JOIN b c ON c.workspace_id = a.workspace_id LEFT JOIN LATERAL (SELECT 1) AS d ON true"],
  ],
  [
    "a CASE of one value: say CASE WHEN",
    (text) => /\bCASE (?!WHEN\b)/.test(text),
    ["UPDATE a SET b = CASE b WHEN 'c' THEN 'd' ELSE b END"],
  ],
  [
    "who signs in beside a workspace's rows: ask in two statements",
    (text) => OF_SIGN_IN.test(text) && /\b(members|workspaces|workspace_id|\$workspace)\b/.test(text),
    ["SELECT FROM sessions s JOIN members m ON m.user_id = s.user_id"],
  ],
];

describe("the statements of the app", () => {
  let statements: readonly Statement[];
  beforeAll(async () => {
    statements = await everyStatement();
  });

  test.each(refusals)("contain no %s", (_what, isRefused, instances) => {
    expect(instances.filter((text) => !isRefused(text))).toEqual([]);
    expect(statements.length).toBeGreaterThan(200);
    expect(statements.filter(({ text }) => isRefused(text)).map(({ name }) => name)).toEqual([]);
  });

  test.each([
    "UPDATE a SET b = b || ($1::text[])[:$2], c = d || e[1]",
    "UPDATE a SET b = $1::text[], c = ARRAY['d'], e = coalesce((f)[1], g)",
    "UPDATE a SET b = CASE WHEN c THEN $1 END, updated_at = now()",
    "UPDATE leads SET status = $1::lead_status, reply_outcome = 'interested'::reply_outcome",
    "WITH g AS (SELECT h.status::lead_status FROM h), l AS (UPDATE leads SET status = g.status FROM g) INSERT INTO a SELECT g.status::lead_status FROM g RETURNING NULL",
    "SELECT status::lead_status FROM leads FOR NO KEY UPDATE",
    "UPDATE workspaces SET name = $1 WHERE id = $workspace",
    "INSERT INTO a (b) SELECT b FROM unnest($1::int[]) AS g(b) RETURNING NULL",
    "WITH held AS (SELECT b FROM c FOR KEY SHARE SKIP LOCKED) INSERT INTO a (b) SELECT b FROM held RETURNING NULL",
    "INSERT INTO a (b) SELECT b FROM c ON CONFLICT (b) DO UPDATE SET d = 1 RETURNING NULL",
  ])("may be %s", (text) => {
    expect(refusals.filter(([, isRefused]) => isRefused(text)).map(([what]) => what)).toEqual([]);
  });
});
