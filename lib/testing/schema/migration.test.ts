import { expect, test } from "vitest";
import { readMigrations } from "#lib/db/migrate.ts";
import { stepsOf } from "./drift.fixture.ts";
import { EARLIER } from "./earlier.ts";
import { nameOf, refusedOf, takenBy, textOf } from "./migration.fixture.ts";

const now = new Date("2026-11-21T10:11:12Z");

test("a migration is named by its time and comes after every other", () => {
  expect(nameOf("notes", [], now)).toBe("20261121101112_notes");
  expect(nameOf("notes", ["20261121000000_a", "20261121101111_b"], now)).toBe("20261121101112_notes");
  expect(nameOf("notes", ["20261121101112_b"], now)).toBe("20261121101113_notes");
  expect(nameOf("notes", ["20991231000000_b", "20261121000000_a"], now)).toBe("20991231000001_notes");
});

test("a tenant's table gets row level security, and each index a comment to fill in", () => {
  const steps = stepsOf(`-- CreateTable
CREATE TABLE "leads" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,

    CONSTRAINT "leads_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "plans" (
    "id" UUID NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "leads_email_key" ON "leads"("workspace_id", "email");
`);
  const text = textOf(steps);
  expect(text.match(/rapport_tenant_table\('"(\w+)"'\)/)?.slice(1)).toEqual(["leads"]);
  expect(text).toContain(`COMMENT ON INDEX "leads_email_key" IS '';`);
  expect(refusedOf(text)).toEqual([]);
});

/** This migration changed the tables that are older than spreading the database over machines. */
const READY = "20261123000000_ready_to_distribute";

test("a migration works on a database that is spread over several machines", async () => {
  const later = (await readMigrations()).filter(({ name }) => name > READY);
  expect(later.flatMap(({ name, sql }) => refusedOf(sql).map((what) => `${name}: ${what}`))).toEqual([]);
});

const table = 'CREATE TABLE "moods" (\n  "workspace_id" UUID NOT NULL,\n  "id" UUID NOT NULL\n);\n';
const tenant = `SELECT rapport_tenant_table('"moods"');\n`;
const key = 'ALTER TABLE "moods" ADD CONSTRAINT "k" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id");\n';
test.each([
  ["a table that is no tenant's yet", table, /not given/],
  ["a foreign key too early", table + key + tenant, /before it is/],
  ["a foreign key inside", table.replace("\n);", '\n  REFERENCES "workspaces"("id")\n);') + tenant, /created with/],
  [
    "a constraint beside a column",
    'ALTER TABLE "a" ADD COLUMN "b" INT,\nADD CONSTRAINT "c" CHECK ("b" > 0);',
    /beside/,
  ],
])("%s is refused", (_what, script, why) => {
  expect(refusedOf(script).join()).toMatch(why);
  expect(refusedOf(table + tenant + key)).toEqual([]);
});

test("a migration leaves the version before what it reads and writes, so that both run on one database", async () => {
  const later = (await readMigrations()).filter(({ name }) => name > EARLIER.migration);
  expect(later.length).toBeGreaterThan(0);
  // Every one is listed with its reason, and the list has no other.
  expect(takenBy(later.map(({ sql }) => sql))).toEqual(Object.keys(EARLIER.bears));
});

test.each([
  'DROP TABLE "moods"',
  'ALTER TABLE "moods" DROP COLUMN "a"',
  'ALTER TABLE "moods" RENAME COLUMN "a" TO "b"',
  'ALTER TABLE "moods" ALTER COLUMN "a" SET DATA TYPE INTEGER',
  'ALTER TABLE "moods" ALTER COLUMN "a" SET NOT NULL',
  'ALTER TABLE "moods" ALTER COLUMN "a" DROP NOT NULL',
  'ALTER TABLE "moods" ALTER COLUMN "a" DROP DEFAULT',
  'ALTER TABLE "moods" ADD COLUMN "a" TEXT NOT NULL',
  'ALTER TABLE "moods" ADD CONSTRAINT "a" CHECK ("b" > 0)',
  'ALTER TABLE "moods" DROP CONSTRAINT "a"',
  'DROP INDEX "moods_key"',
  'CREATE UNIQUE INDEX "moods_key" ON "moods"("a")',
  'CREATE TRIGGER "a" BEFORE UPDATE ON "moods" FOR EACH ROW EXECUTE FUNCTION "f"()',
  "ALTER TYPE \"mood\" ADD VALUE 'angry'",
  'ALTER TABLE "moods" FORCE ROW LEVEL SECURITY',
  'REVOKE SELECT ON "moods" FROM "rapport_app"',
])("%s takes something from the version before", (script) => {
  const harmless = [
    'ALTER TABLE "moods" ADD COLUMN "b" TEXT NOT NULL DEFAULT \'\'',
    'ALTER TABLE "moods" ADD COLUMN "c" TEXT',
    'CREATE INDEX "moods_b" ON "moods"("b")',
  ].join(";\n");
  expect(takenBy([`-- AlterTable\n${script};\n${harmless};`])).toEqual([script]);
  const made =
    'CREATE TABLE "moods" ("a" TEXT);\nCREATE TYPE "mood" AS ENUM ();\nCREATE INDEX "moods_key" ON "moods"("a")';
  expect(takenBy([made, script])).toEqual([]);
});
