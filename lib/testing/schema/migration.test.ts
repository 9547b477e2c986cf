import { expect, test } from "vitest";
import { stepsOf } from "./drift.fixture.ts";
import { nameOf, textOf } from "./migration.fixture.ts";

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
  expect(text).toContain('ALTER TABLE "leads" FORCE ROW LEVEL SECURITY;');
  expect(text).toContain('CREATE POLICY tenant ON "leads" USING (workspace_id = rapport_workspace())');
  expect(text).not.toContain('"plans" FORCE');
  expect(text).toContain(`COMMENT ON INDEX "leads_email_key" IS '';`);
  expect(text.indexOf("FORCE")).toBeGreaterThan(text.indexOf('CREATE UNIQUE INDEX "leads_email_key"'));
});
