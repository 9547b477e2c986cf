import fc from "fast-check";
import type pg from "pg";
import { expect, test } from "vitest";
import { database } from "#lib/testing/database.ts";
import { administer } from "#lib/testing/postgres.ts";
import { arrayBinary } from "./array-binary.ts";
import { arrayText } from "./array-text.ts";
import { queryOf } from "./statement.ts";

/** UTF-16 as it comes: with halves of characters, and without NUL. */
const text = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 127 }), fc.integer({ min: 1, max: 0xffff })))
  .map((units) => String.fromCharCode(...units));

const kinds: [type: string, element: fc.Arbitrary<unknown>][] = [
  [
    "uuid",
    fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
    ),
  ],
  ["text", text],
  ["jsonb", fc.json().filter((json) => !json.includes("\\u"))],
  ["int", fc.integer()],
  ["bigint", fc.maxSafeInteger()],
  ["float8", fc.double()],
  ["bool", fc.boolean()],
  ["timestamptz", fc.date({ min: new Date("1715-01-01"), max: new Date("2285-01-01"), noInvalidDate: true })],
];

test.each(kinds)("Postgres reads the same %s from the bytes as from the text", async (type, element) => {
  await administer(database.adminUrl, (client) =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.option(element), { minLength: 1 }), async (values) => {
        const bytes = arrayBinary(type, values);
        expect(bytes).not.toBeNull();
        const query = `SELECT $1::${type}[]::text AS bytes, $2::${type}[]::text AS text`;
        const [row] = (await client.query(query, [bytes, arrayText(values)])).rows;
        expect(row.bytes).toBe(row.text);
      }),
    ),
  );
});

test("Postgres reads the bytes that were given", async () => {
  const values = [Buffer.from("ab"), Buffer.alloc(0), null];
  await administer(database.adminUrl, async (client) => {
    const { rows } = await client.query("SELECT $1::bytea[] AS given", [arrayBinary("bytea", values)]);
    expect(rows).toEqual([{ given: values }]);
  });
});

const wrong: [type: string, element: unknown, code: string][] = [
  ["uuid", "no id", "22P02"],
  ["uuid", "01920000-0000-7000-8000-00000000000g", "22P02"],
  ["text", "a\u0000b", "22021"],
  ["jsonb", "{", "22P02"],
  ["jsonb", '"\\u0000"', "22P05"],
  ["int", 2_147_483_648, "22003"],
  ["int", 1.5, "22P02"],
  ["timestamptz", "no time", "22007"],
];

test.each(wrong)("Postgres refuses what is no %s, as it does in text: %j", async (type, element, code) => {
  await administer(database.adminUrl, async (client) => {
    const statement = `SELECT $1::${type}[]`;
    const { values } = queryOf({ name: "", text: statement }, [[element]], null);
    const refused = await errorOf(client, statement, values);
    expect(refused.code).toBe(code);
    expect(refused.message).toBe((await errorOf(client, statement, [arrayText([element])])).message);
  });
});

const errorOf = (client: pg.Client, query: string, values: unknown[]): Promise<pg.DatabaseError> =>
  client.query(query, values).then(
    () => Promise.reject(new Error("it was taken")),
    (error: pg.DatabaseError) => error,
  );

test("a prepared statement takes both forms", async () => {
  await administer(database.adminUrl, async (client) => {
    const statement = { name: "test_forms", text: "SELECT $1::uuid[] AS ids" };
    const id = "01920000-0000-7000-8000-000000000001";
    for (const [given, read] of [
      [[id], [id]],
      [[`{${id}}`], [id]],
      [[], []],
      [
        [null, id],
        [null, id],
      ],
    ])
      expect((await client.query(queryOf(statement, [given], null))).rows).toEqual([{ ids: read }]);
  });
});
