/** Our own client and generated ones call a running server. */
import { expect, test } from "vitest";
import { useClients } from "#lib/testing/clients/clients.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const clients = useClients();
const server = useServer();

test.each(["with-types.ts", "with-functions.ts"] as const)(
  "the program %s calls eleven operations",
  async (program) => {
    const { key } = await createTestWorkspace();
    expect(await clients.call(program, server.url(), await key())).toMatchObject({
      created: true,
      row: "created",
      found: ["anna@acme.com"],
      same: true,
      title: "VP Sales",
      recorded: 1,
      budget: { eur: 40_000 },
      facts: { ICP: 1 },
      note: "note",
      exported: "people",
      refused: "question_required",
    });
  },
);

test("our client reads pages, keys what it writes, and throws what is refused", async () => {
  const { key } = await createTestWorkspace();
  const keys = [await key(["admin"]), await key(["write"], { approval: "writes" })];
  expect(await clients.call("with-ours.ts", server.url(), ...keys)).toMatchObject({
    rows: ["created", "created", "created", "created", "created"],
    emails: ["anna@acme.com", "bert@acme.com", "carl@acme.com", "dora@acme.com", "emil@acme.com"],
    pages: [2, 2, 1],
    same: true,
    nothing: true,
    refused: [404, "entity_not_found", true, expect.stringContaining("No person")],
    ambiguous: ["ambiguous", 2],
    elsewhere: "unexpected_answer",
    waiting: [202, "pending_approval", expect.any(String)],
    // The search only reads, so its answer is not kept.
    sent: ["DELETE", "GET", "POST", "POST with a key"],
  });
});

test("the examples of the README of our client run as they are", async () => {
  const { key } = await createTestWorkspace();
  const printed = await clients.runReadme(server.url(), await key());
  for (const said of ["VP Sales", "anna@acme.com", "404 entity_not_found"]) expect(printed).toContain(said);
});

test("the nodes for n8n do what a workflow asks, and start one only by what the server signed", async () => {
  const { key } = await createTestWorkspace();
  expect(await clients.callInN8n(server.url(), await key(["admin"]))).toEqual({
    people: [["anna@acme.com", "VP Sales"]],
    account: "VP Sales",
    done: true,
    offered: true,
    exists: [false, true],
    signed: [200, "Zoë"],
    forged: [401, null],
    removed: true,
  });
});
