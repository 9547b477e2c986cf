/** Generated clients call a running server. */
import { expect, test } from "vitest";
import { useClients } from "#lib/testing/clients/clients.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const clients = useClients();
const server = useServer();

test.each(["with-types.ts", "with-functions.ts"] as const)("the program %s calls ten operations", async (program) => {
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
    refused: "question_required",
  });
});
