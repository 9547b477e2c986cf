/** Providers are asked whether they still accept our credentials, by stand-ins over HTTP. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { examine } from "#lib/domain/workspace/doctor/service.ts";
import { patience } from "#lib/providers/request.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { AttioStandIn } from "#lib/testing/attio.fixture.ts";
import { CalComStandIn } from "#lib/testing/cal-com.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { FathomStandIn } from "#lib/testing/fathom.fixture.ts";
import { HubSpotStandIn } from "#lib/testing/hubspot.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { askProviders, queueAsking } from "./service/standing.ts";

const [calCom, fathom, hubspot, attio] = [
  new CalComStandIn(),
  new FathomStandIn(),
  new HubSpotStandIn(),
  new AttioStandIn(),
];
const all = [calCom, fathom, hubspot, attio];
const settings = () => ({
  CAL_COM_API_URL: calCom.url,
  FATHOM_API_URL: fathom.url,
  HUBSPOT_API_URL: hubspot.url,
  ATTIO_API_URL: attio.url,
  APP_URL: "https://rapport.example",
  // The keys of the tests, as an operator sets them.
  ENCRYPTION_KEY: `test:${Buffer.alloc(32, "test").toString("base64")}`,
});
beforeAll(async () => {
  await Promise.all(all.map((each) => each.start()));
  bootWith(settings());
});
const server = useServer();
afterAll(() => Promise.all(all.map((each) => each.stop())));
const usual = { ...patience };
afterEach(async () => {
  await inspect("DELETE FROM connections"); // the doctor asks for all of them
  for (const each of all) each.calm();
  attio.exp = null;
  Object.assign(patience, usual);
});

const SECRET = `whsec_${Buffer.alloc(32, "s").toString("base64")}`;

/** A workspace that is connected to all four. */
async function connectedWorkspace(name: string) {
  const workspace = await createTestWorkspace({ name });
  const key = await workspace.key();
  const path = "/v2/workspace/integrations";
  for (const { tokens } of [fathom, hubspot, attio]) tokens.add("token");
  const apiKey = calCom.account();
  for (const [provider, credentials] of Object.entries({
    cal_com: { api_key: apiKey },
    fathom: { signing_secret: SECRET, api_key: "token" },
    hubspot: { access_token: "token" },
    attio: { access_token: "token" },
  }))
    expect((await server.call(path, { key, body: { provider, credentials } })).status).toBe(201);
  type Check = { id: string; state: string; count: number };
  return {
    ...workspace,
    ask: () =>
      askProviders.run({ caller: workspace.caller, attempt: 1, last: true, signal: new AbortController().signal }, {}),
    async said() {
      const { body } = await server.call(path, { key });
      const standing = (body.integrations as { provider: string; is_verified: boolean; message?: string }[]).filter(
        (one) => !one.is_verified || one.message,
      );
      return Object.fromEntries(
        standing.map(({ provider, is_verified, message }) => [provider, [is_verified, message]]),
      );
    },
    async checks() {
      const { checks } = (await server.call("/v2/workspace/checks", { key })).body as { checks: Check[] };
      return Object.fromEntries(
        checks.filter(({ count }) => count > 0).map(({ id, state, count }) => [id, [state, count]]),
      );
    },
  };
}

async function doctor() {
  const { findings } = await examine(getBoot().env, {});
  bootWith(settings());
  return findings.find(({ check }) => check === "provider tokens");
}

const rowsOf = (workspaceId: WorkspaceId) =>
  inspect(
    "SELECT provider, is_verified, message, asked_at, credentials_end_at FROM connections WHERE workspace_id = $1 ORDER BY 1",
    [workspaceId],
  );

test("a provider that answered is asked again after a day", async () => {
  const acme = await connectedWorkspace("Daily");
  attio.calm();
  const asked = async () =>
    (await inspect<{ asked_at: Date }>("SELECT asked_at FROM connections WHERE workspace_id = $1", [acme.id])).map(
      ({ asked_at }) => asked_at.getTime(),
    );
  const before = Math.max(...(await asked()));
  await queueAsking(acme.id);
  const jobs = await inspect(
    `SELECT FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = 'connections:ask' AND j.payload ->> 'workspace_id' = $1`,
    [acme.id],
  );
  expect([jobs, attio.calls]).toEqual([[], []]);
  await queueAsking(acme.id, new Date(Date.now() + 25 * 3_600_000));
  await expect.poll(async () => Math.min(...(await asked()))).toBeGreaterThan(before);
  expect(attio.calls).toEqual(["GET /v2/self"]);
});

test("who is refused is shown, in the checks, and by the doctor, who changes nothing", async () => {
  const acme = await connectedWorkspace("Acme");
  await acme.ask();
  expect([await acme.said(), await acme.checks(), (await doctor())?.says]).toEqual([
    {},
    {},
    "Every provider accepts our credentials.",
  ]);

  for (const { tokens } of [fathom, hubspot, attio]) tokens.clear();
  calCom.trouble({ path: "/me", status: 401, times: 9 });
  for (const each of all) expect(each.calls.length).toBeGreaterThan(0);
  const before = await rowsOf(acme.id);
  const refused = await doctor();
  expect(refused).toMatchObject({
    state: "warning",
    says: "Refused: Acme (Attio), Acme (Cal.com), Acme (Fathom), Acme (HubSpot).",
  });
  expect(await rowsOf(acme.id)).toEqual(before);

  await acme.ask();
  const said = await acme.said();
  expect(Object.keys(said)).toEqual(["cal_com", "fathom", "hubspot", "attio"]);
  for (const [isVerified, message] of Object.values(said)) {
    expect(isVerified).toBe(false);
    expect(message).toMatch(/^Rapport asked whether the connection still works: .+ connect again with a new one\.$/);
  }
  expect(await acme.checks()).toEqual({ integrations: ["failing", 4] });

  for (const each of all) each.calm();
  for (const { tokens } of [fathom, hubspot, attio]) tokens.add("token");
  await acme.ask();
  expect([await acme.said(), await acme.checks()]).toEqual([{}, {}]);
});

test("no answer says nothing about a token, and each provider is waited for once, all at the same time", async () => {
  const acme = await connectedWorkspace("Silent");
  Object.assign(patience, { answerMs: 300 });
  for (const each of [fathom, hubspot, attio]) each.trouble({ hangs: true, times: 9 });
  calCom.trouble({ path: "/me", status: 503, times: 9 });
  const before = await rowsOf(acme.id);
  const silent = () => [fathom, hubspot, attio].map(({ received }) => received.length);
  const already = silent();
  await acme.ask();
  expect(silent()).toEqual(already.map((count) => count + 1));
  expect(await rowsOf(acme.id)).toEqual(before);
  // None gives up before all are asked.
  Object.assign(patience, { answerMs: 60_000 });
  const asking = acme.ask();
  await expect.poll(silent).toEqual(already.map((count) => count + 2));
  await Promise.all([fathom, hubspot, attio].map((each) => each.hangUp()));
  await asking;
  expect(await rowsOf(acme.id)).toEqual(before);
  Object.assign(patience, { answerMs: 300 });
  expect((await doctor())?.says).toContain("No answer: ");
});

test("a token that ends within 14 days is told at the integration, in the checks and by the doctor", async () => {
  const acme = await connectedWorkspace("Ending");
  const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * 86_400;
  attio.exp = inDays(20);
  await acme.ask();
  expect([await acme.said(), await acme.checks()]).toEqual([{}, {}]);
  attio.exp = inDays(13);
  await acme.ask();
  expect(await acme.said()).toEqual({
    attio: [true, expect.stringMatching(/^The token of Attio ends on .+: make a new one there/)],
  });
  expect(await acme.checks()).toEqual({ tokens: ["warning", 1] });
  expect((await doctor())?.says).toContain("Ends within 14 days: ");

  // A new token is known to end later as soon as it is connected.
  attio.exp = null;
  const key = await acme.key();
  await server.call("/v2/workspace/integrations", {
    key,
    body: { provider: "attio", credentials: { access_token: "token" } },
  });
  expect([await acme.said(), await acme.checks()]).toEqual([{}, {}]);
});

test("what was refused of credentials that were replaced meanwhile is not shown at the new ones", async () => {
  const acme = await connectedWorkspace("Replaced");
  hubspot.tokens.delete("token");
  hubspot.tokens.add("new");
  hubspot.calm();
  hubspot.delay = 1_000;
  const asked = acme.ask();
  await expect.poll(() => hubspot.calls, { interval: 5 }).toHaveLength(1);
  hubspot.delay = 0;
  const key = await acme.key();
  const credentials = { access_token: "new" };
  const body = { provider: "hubspot", credentials };
  expect((await server.call("/v2/workspace/integrations", { key, body })).status).toBe(201);
  await asked;
  expect(await acme.said()).toEqual({});
});

test("credentials that were sealed with a key that is gone are told", async () => {
  const acme = await connectedWorkspace("Sealed");
  await inspect("UPDATE connections SET credentials = 'v1.gone.AA.AA' WHERE workspace_id = $1 AND provider = 'attio'", [
    acme.id,
  ]);
  await acme.ask();
  expect(await acme.said()).toEqual({ attio: [false, expect.stringContaining("ENCRYPTION_KEY")] });
  expect((await doctor())?.says).toContain("Sealed with an encryption key that is not there: Sealed (Attio).");
});

test("a client that was connected nearly a year ago is told in the checks", async () => {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const connect = (daysAgo: number) =>
    inspect(
      `INSERT INTO oauth_grants (workspace_id, id, user_id, client_id, client_name, client_host, scopes, resource, created_at, expires_at)
       VALUES ($1, gen_random_uuid(), gen_random_uuid(), 'c', 'Claude', 'localhost', '{read}', 'https://r.example/mcp',
         now() - $2 * interval '1 day', now() + interval '5 days')`,
      [workspace.id, daysAgo],
    );
  const checks = async () =>
    (await server.call("/v2/workspace/checks", { key })).body.checks as { id: string; count: number }[];
  const clients = async () => (await checks()).find(({ id }) => id === "clients")?.count;
  await connect(300);
  expect(await clients()).toBe(0);
  await connect(352);
  expect(await clients()).toBe(1);
});
