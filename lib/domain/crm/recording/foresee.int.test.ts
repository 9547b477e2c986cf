import { expect, test } from "vitest";
import { isFault } from "#lib/core/errors.ts";
import { withErasure, withWorkspace } from "#lib/db/transaction.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { type Report, recordAndTell, recordOne, seeReports } from "./service.ts";

const state = { kind: "state", property: "job_title", value: "CFO", source: "api", method: "observed" } as const;
const about = (...emails: string[]): Report => ({
  about: { named: emails.map((value) => ({ kind: "email", value })), type: "person", create: true },
  drafts: [{ ...state, observedAt: null }],
});

test("what is foreseen happens now, also when the first report names no one", async () => {
  const { id, caller } = await createTestWorkspace();
  const before = Date.now();
  const { results } = await withWorkspace(id, (db) =>
    recordAndTell({ ...caller, db }, [about(), about("anna@gmail.com")], { dryRun: true }),
  );
  const [first, second] = results;
  expect(first).toMatchObject({ code: "identifier_required" });
  if (!second || isFault(second)) throw new Error("the second report names someone");
  expect(Math.abs(second.at.getTime() - before)).toBeLessThan(60_000);
});

test("a record that is deleted after it was looked up is looked up again", async () => {
  const { id, caller } = await createTestWorkspace();
  const { entity } = await withWorkspace(id, (db) => recordOne({ ...caller, db }, about("anna@gmail.com")));
  const report: Report = { about: { id: entity.id }, drafts: [{ ...state, value: "CEO", observedAt: null }] };
  let attempts = 0;
  const { results } = await withWorkspace(id, async (db) => {
    const seen = await seeReports(db, [report]);
    if (attempts++ === 0) await withErasure(id, (other) => other.prisma.workspace.deleteMany());
    return recordAndTell({ ...caller, db }, [report], { dryRun: true, seen });
  });
  expect([attempts, results]).toMatchObject([2, [{ code: "entity_not_found" }]]);
});
