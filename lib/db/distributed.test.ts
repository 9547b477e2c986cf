/** Statements that a planner for several machines would refuse, or run in the wrong place. */
import { globSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { declared } from "./statement.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Tables that only the coordinator has. */
const OF_SIGN_IN = /\b(FROM|JOIN)\s+(sessions|password_resets|accounts|throttles|oauth_clients)\b/;

type Refusal = [what: string, isRefused: (text: string) => boolean, instance: string];
const refusals: Refusal[] = [
  [
    "a function of time where a conflict is settled: say excluded.<column>",
    (text) => /DO UPDATE SET[\s\S]*\b(now|clock_timestamp)\(\)/.test(text),
    "INSERT INTO a (b) VALUES (1) ON CONFLICT (b) DO UPDATE SET c = now()",
  ],
  [
    "a cast to text in RETURNING: an enum comes as text anyway",
    (text) => /\bRETURNING\b[^()]*::text/.test(text),
    "UPDATE a SET b = 1 RETURNING id, kind::text",
  ],
  [
    "INSERT … SELECT that returns nothing: it would be a COPY, which row level security refuses; say RETURNING NULL",
    (text) => /\bINSERT INTO\b[\s\S]*\bSELECT\b/.test(text) && !/\bRETURNING\b|\bON CONFLICT\b/.test(text),
    "INSERT INTO a (b) SELECT b FROM unnest($1::int[]) AS g(b)",
  ],
  [
    "the clock in what an UPDATE sets: give the time as a value",
    (text) => /\bUPDATE\b[\s\S]*\bSET\b[\s\S]*\b(clock_timestamp|random|gen_random_uuid)\(\)/.test(text),
    "UPDATE a SET b = clock_timestamp()",
  ],
  [
    "a function of time in a COALESCE that an UPDATE sets: ask for NULL in its WHERE",
    (text) => /\bUPDATE\b[\s\S]*\bSET\b[\s\S]*\bcoalesce\([^()]*\bnow\(\)/i.test(text),
    "UPDATE a SET b = coalesce(b, now())",
  ],
  [
    "a CASE of one value: say CASE WHEN",
    (text) => /\bCASE (?!WHEN\b)/.test(text),
    "UPDATE a SET b = CASE b WHEN 'c' THEN 'd' ELSE b END",
  ],
  [
    "who signs in beside a workspace's rows: ask in two statements",
    (text) => OF_SIGN_IN.test(text) && /\b(members|workspaces|workspace_id|\$workspace)\b/.test(text),
    "SELECT FROM sessions s JOIN members m ON m.user_id = s.user_id",
  ],
];

describe("the statements of the app", () => {
  beforeAll(async () => {
    const files = globSync("lib/**/queries{.ts,/*.ts}", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
    for (const file of files) await import(path.join(root, file));
  });

  test.each(refusals)("contain no %s", (_what, isRefused, instance) => {
    expect(isRefused(instance)).toBe(true);
    expect(declared.length).toBeGreaterThan(200);
    expect(declared.filter(({ text }) => isRefused(text)).map(({ name }) => name)).toEqual([]);
  });
});
