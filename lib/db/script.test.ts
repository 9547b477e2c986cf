import fc from "fast-check";
import { expect, test } from "vitest";
import { readMigrations } from "./migrate.ts";
import { statementsIn } from "./script.ts";

test.each<[string, string, string[]]>([
  ["nothing", " \n-- a word; and another\n/* one; two */ ", []],
  ["one without an end", "SELECT 1", ["SELECT 1"]],
  ["comments between", "SELECT 1; -- first;\nSELECT 2;\n-- last\n", ["SELECT 1", "-- first;\nSELECT 2"]],
  ["texts and names", `SELECT 'a;''b', "c;""d"; SELECT 2`, [`SELECT 'a;''b', "c;""d"`, "SELECT 2"]],
  ["an escape", "SELECT E'\\';', 'x\\'; SELECT 2", ["SELECT E'\\';', 'x\\'", "SELECT 2"]],
  ["a body", "DO $$ BEGIN a; b; END $$; SELECT $x$ ; $$ ; $x$;", ["DO $$ BEGIN a; b; END $$", "SELECT $x$ ; $$ ; $x$"]],
  ["a parameter, which opens nothing", "SELECT $1; SELECT $2", ["SELECT $1", "SELECT $2"]],
  ["empty ones", ";;SELECT 1;;", ["SELECT 1"]],
])("reads %s", (_what, script, expected) => {
  expect(statementsIn(script)).toEqual(expected);
});

test("joined statements are split again", () => {
  const part = fc.constantFrom(
    "'a;b'",
    '"c;d"',
    "$$e;f$$",
    "$t$ g;'$$ $t$",
    "/* h;i */",
    "-- j;k\n",
    "l",
    "''",
    "E'\\'m;'",
  );
  const statement = fc.array(part, { maxLength: 4 }).map((parts) => ["SELECT", ...parts].join(" ").trim());
  fc.assert(
    fc.property(fc.array(statement), (statements) => {
      expect(statementsIn(statements.join("\n;\n"))).toEqual(statements.map((text) => text.trim()));
    }),
  );
});

test("each statement of the migrations begins with a keyword", async () => {
  const statements = (await readMigrations()).flatMap(({ sql }) => statementsIn(sql));
  expect(statements.length).toBeGreaterThan(200);
  const heads = statements.map((text) => text.replaceAll(/^(--[^\n]*\n|\s)+/g, "").split(/\s/)[0]);
  expect([...new Set(heads)].sort()).toEqual([
    "ALTER",
    "COMMENT",
    "CREATE",
    "DO",
    "DROP",
    "INSERT",
    "REVOKE",
    "SELECT",
    "UPDATE",
    "WITH",
  ]);
});
