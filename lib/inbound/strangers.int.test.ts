import { expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { inspect } from "#lib/testing/database.ts";
import { booked, connectProvider } from "#lib/testing/inbound.fixture.ts";
import pingSample from "#lib/testing/samples/cal/ping.json" with { type: "json" };
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const server = useServer();

test("a flood of forged deliveries makes one row, and is then rate limited", async () => {
  const { id } = await createTestWorkspace();
  await connectProvider(id, "cal_com");
  const forge = () => {
    const { body, headers } = booked(pingSample, { secret: "forged" });
    return server.call(`/inbound/cal_com/${id}`, { raw: body, headers });
  };
  const statuses: number[] = [];
  for (let round = 0; round < 14; round++)
    statuses.push(...(await Promise.all(Array.from({ length: 50 }, forge))).map(({ status }) => status));
  const refused = statuses.filter((status) => status === 401).length;
  expect(refused).toBeGreaterThanOrEqual(600);
  expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);

  const limited = await forge();
  expect(limited).toMatchObject({ status: 429, body: { error: "rate_limited" } });
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  const counted = () => inspect("SELECT code, count::int FROM inbound_refusals WHERE workspace_id = $1", [id]);
  await expect.poll(counted, { timeout: 30_000 }).toEqual([{ code: "invalid_signature", count: refused }]);
  expect(await inspect("SELECT id FROM inbound_deliveries")).toEqual([]);
});

test("a search for inboxes at random addresses is rate limited too", async () => {
  const look = () => server.call(`/inbound/cal_com/${newId()}`, { raw: "{}" });
  expect([404, 429]).toContain((await look()).status);
  for (let round = 0; round < 12; round++) await Promise.all(Array.from({ length: 50 }, look));
  expect((await look()).status).toBe(429);
});
