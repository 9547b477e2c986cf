/** The schema files, which types and Prisma's queries come from, match the tables of the migrations. */
import { expect, test } from "vitest";
import { database, inspect } from "#lib/testing/database.ts";
import { driftOf, stepsOf } from "#lib/testing/schema/drift.fixture.ts";

const drift = async () => (await driftOf(database.adminUrl)).map(({ sql }) => sql);

test("the migrated database matches the schema files", async () => {
  expect(await drift(), "run `npm run migration -- <name>`, or correct prisma/schema").toEqual([]);
});

const drifts: [what: string, change: string, back: string, expected: RegExp][] = [
  [
    "a column the schema files do not have",
    "ALTER TABLE members ADD COLUMN nickname text",
    "ALTER TABLE members DROP COLUMN nickname",
    /DROP COLUMN "nickname"/,
  ],
  [
    "a column of another type",
    "ALTER TABLE api_keys ALTER COLUMN name TYPE varchar(10)",
    "ALTER TABLE api_keys ALTER COLUMN name TYPE text",
    /"name" SET DATA TYPE TEXT/,
  ],
  [
    "a column that may be null",
    "ALTER TABLE api_keys ALTER COLUMN name DROP NOT NULL",
    "ALTER TABLE api_keys ALTER COLUMN name SET NOT NULL",
    /"name" SET NOT NULL/,
  ],
  [
    "a missing default",
    "ALTER TABLE entities ALTER COLUMN status DROP DEFAULT",
    "ALTER TABLE entities ALTER COLUMN status SET DEFAULT 'active'",
    /"status" SET DEFAULT 'active'/,
  ],
  [
    "a missing choice",
    "ALTER TYPE plan RENAME VALUE 'growth' TO 'grown'",
    "ALTER TYPE plan RENAME VALUE 'grown' TO 'growth'",
    /growth/,
  ],
  [
    "a missing foreign key",
    "ALTER TABLE identifiers DROP CONSTRAINT identifiers_workspace_id_entity_id_fkey",
    "ALTER TABLE identifiers ADD CONSTRAINT identifiers_workspace_id_entity_id_fkey FOREIGN KEY (workspace_id, entity_id) REFERENCES entities (workspace_id, id) ON DELETE CASCADE",
    /ADD CONSTRAINT "identifiers_workspace_id_entity_id_fkey"/,
  ],
  [
    "a missing unique index",
    "DROP INDEX claims_workspace_id_entity_id_property_key",
    "CREATE UNIQUE INDEX claims_workspace_id_entity_id_property_key ON claims (workspace_id, entity_id, property)",
    /CREATE UNIQUE INDEX "claims_workspace_id_entity_id_property_key"/,
  ],
  ["a table of its own", "CREATE TABLE stray (id uuid PRIMARY KEY)", "DROP TABLE stray", /DROP TABLE "stray"/],
];

test.each(drifts)("%s is noticed", async (_what, change, back, expected) => {
  await inspect(change);
  expect((await drift()).join("\n")).toMatch(expected);
  await inspect(back);
  expect(await drift()).toEqual([]);
});

test("a script is read statement by statement", () => {
  const script =
    '-- DropIndex\nDROP INDEX "a";\n\n-- AlterTable\nALTER TABLE "b" ADD COLUMN     "c" TEXT,\nADD COLUMN     "d" TEXT;\n';
  expect(stepsOf(script)).toEqual([
    { what: "DropIndex", sql: 'DROP INDEX "a";' },
    { what: "AlterTable", sql: 'ALTER TABLE "b" ADD COLUMN     "c" TEXT,\nADD COLUMN     "d" TEXT;' },
  ]);
  expect(stepsOf("")).toEqual([]);
});
