import { expect, test } from "vitest";
import { withWorkspace } from "#lib/db/transaction.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { type Report, recordOne } from "./service.ts";

const state = { kind: "state", property: "job_title", source: "api", method: "observed", observedAt: null } as const;

test("of addresses given at once the last is the primary one, also when the row is made again from what is stored", async () => {
  const { id, caller } = await createTestWorkspace();
  const addresses = ["anna@gmail.com", "anna@acme.com", "anna@globex.io", "anna@acme.io"];
  const tell = (about: Report["about"], value: string) =>
    withWorkspace(id, (db) => recordOne({ ...caller, db }, { about, drafts: [{ ...state, value }] }));
  const primary = async () =>
    (await inspect<{ email: string }>("SELECT email FROM people WHERE workspace_id = $1", [id])).map(
      ({ email }) => email,
    );

  const named = addresses.map((value) => ({ kind: "email", value }) as const);
  const told = await tell({ named, type: "person", create: true }, "CFO");
  expect(await primary()).toEqual(["anna@acme.io"]);
  await tell({ id: told.entity.id }, "CEO");
  expect(await primary()).toEqual(["anna@acme.io"]);
});
