import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HubSpotStandIn } from "#lib/testing/hubspot.fixture.ts";
import { createInstallation, type Installation } from "#lib/testing/installation.fixture.ts";
import type { CrmRun } from "./contract.ts";

const PEOPLE = 250;
const CALLS = 40;

const hubspot = new HubSpotStandIn();
let installation: Installation;

beforeAll(async () => {
  await hubspot.start();
  hubspot.tokens.add("pat-kill");
  hubspot.delay = 20; // so that most kills come between the CRM's work and its answer
  installation = await createInstallation({ HUBSPOT_API_URL: hubspot.url, RATE_LIMIT_PER_MINUTE: "0" });
  await installation.start();
});
afterAll(async () => {
  await installation.remove();
  await hubspot.stop();
});

test("a sync whose process is killed again and again creates each contact and each activity once", {
  timeout: 180_000,
}, async () => {
  const { key } = await installation.createWorkspace();
  const ask = async <T>(address: string, body?: unknown): Promise<T> => {
    const answer = await fetch(installation.url() + address, {
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    const said = await answer.json();
    expect(answer.ok, `${address} answers ${answer.status} ${JSON.stringify(said)}`).toBe(true);
    return said as T;
  };
  const people = Array.from({ length: PEOPLE }, (_, n) => ({ email: `p${n}@prospect.example`, first_name: `P${n}` }));
  await ask("/v2/people/bulk", { people });
  await ask(
    "/api/v1/capture/batch",
    Array.from({ length: CALLS }, (_, n) => ({
      email: `p${n}@prospect.example`,
      type: "call",
      description: `Call ${n}`,
    })),
  );
  await ask("/v2/workspace/integrations", { provider: "hubspot", credentials: { access_token: "pat-kill" } });
  const rules = { provider: "hubspot", autoSync: false, createInCrm: true, createTrigger: "any" };
  await ask("/v2/workspace/crm-sync", rules);
  const { run } = await ask<{ run: CrmRun }>("/v2/workspace/crm-sync-now", { provider: "hubspot" });

  for (const writes of [1, 2, 12, 25, 38]) {
    const done = () => hubspot.received.filter(({ path }) => /upsert|notes$/.test(path)).length;
    while (done() < writes) await sleep(2);
    await installation.crashApp();
  }
  const read = async () => (await ask<{ run: CrmRun }>(`/v2/workspace/crm-sync-runs/${run.id}?limit=1`)).run;
  await expect.poll(async () => (await read()).state, { timeout: 120_000, interval: 200 }).toBe("done");

  expect(await read()).toMatchObject({ compared: PEOPLE, failed: 0, activities: CALLS });
  const emails = hubspot.contacts.map(({ properties }) => properties.email);
  expect(emails).toHaveLength(PEOPLE);
  expect(new Set(emails).size).toBe(PEOPLE);
  const calls = hubspot.entries.map(({ properties }) => /Call: Call \d+/.exec(properties.hs_note_body ?? "")?.[0]);
  expect(calls).toHaveLength(CALLS);
  expect(new Set(calls).size).toBe(CALLS);
});
