/** Clients that other people's tools make of the description compile, under a strict compiler. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useClients } from "#lib/testing/clients/clients.fixture.ts";

const clients = useClients();

test("our client and those of openapi-typescript and @hey-api/openapi-ts compile, with the programs that use them", async () => {
  expect(await clients.compile()).toBe("");
});

test("the generated types are of a size that editors are quick with", () => {
  const types = readFileSync(clients.path("rapport/schema.ts"), "utf8");
  const operations = types.match(/: operations\["/g)?.length ?? 0;
  expect(operations).toBeGreaterThan(45);
  expect(types.length / operations).toBeLessThan(3_500);
});
