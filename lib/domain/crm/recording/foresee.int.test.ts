import { expect, test } from "vitest";
import { isFault } from "#lib/core/errors.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { type Report, recordAndTell } from "./service.ts";

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
