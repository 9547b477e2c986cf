/** Jobs and deliveries while our process and its database are killed in the middle of them. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BulkAction } from "#lib/domain/crm/bulk-actions/contract.ts";
import type { CrmRun } from "#lib/domain/integrations/crm-sync/contract.ts";
import type { Import } from "#lib/domain/workspace/imports/contract.ts";
import { HubSpotStandIn } from "#lib/testing/hubspot.fixture.ts";
import {
  createInstallation,
  type Installation,
  KILLS,
  moments,
  PATIENCE_MS,
} from "#lib/testing/installation.fixture.ts";
import { hangs, type ReceivedWebhook, WebhookTarget } from "#lib/testing/webhook-target.fixture.ts";

/** How many rows an import has, and people a bulk action. */
const ROWS = 400 * (KILLS + 1);

// One installation for all of it: each test works in workspaces of its own.
let installation: Installation;
const target = new WebhookTarget();
const hubspot = new HubSpotStandIn();
beforeAll(async () => {
  await target.start();
  await hubspot.start();
  installation = await createInstallation({
    RATE_LIMIT_PER_MINUTE: "0",
    ALLOW_PRIVATE_WEBHOOK_TARGETS: "true",
    HUBSPOT_API_URL: hubspot.url,
  });
  await installation.start();
});
afterAll(async () => {
  await installation.remove();
  await target.stop();
  await hubspot.stop();
});

type Caller = { get<T>(path: string): Promise<T>; post<T>(path: string, body: unknown): Promise<T> };

/** Sends requests until they are answered: the server is away now and then. */
async function newCaller(): Promise<Caller> {
  const { key } = await installation.createWorkspace();
  const ask = async <T>(path: string, init: RequestInit): Promise<T> => {
    for (;;) {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const answer = await fetch(installation.url() + path, { ...init, headers }).catch(() => null);
      if (answer?.ok) return (await answer.json()) as T;
      if (answer && answer.status < 500) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      await sleep(50);
    }
  };
  return {
    get: (path) => ask(path, {}),
    post: (path, body) => ask(path, { method: "POST", body: JSON.stringify(body) }),
  };
}

/** Everything of a list, by its cursor. */
async function all<T>(caller: Caller, path: string, name: string): Promise<T[]> {
  const found: T[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Record<string, unknown> = await caller.get(
      `${path}?limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    found.push(...(page[name] as T[]));
    cursor = page.next_cursor as string | null;
  }
  return found;
}

/** Kills while rows are done. */
const strike = (done: () => Promise<number>) => installation.killAt(moments(), async () => (await done()) / ROWS);

describe("deliveries", () => {
  const EACH = 25;

  const call = (key: string, path: string, body: unknown) =>
    fetch(installation.url() + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  const capture = (n: number) => ({
    email: "anna@acme.example",
    type: "call",
    external_id: `call-${n}`,
    metadata: { n },
  });

  const numberOf = ({ body }: ReceivedWebhook) => (body.data.value as { metadata: { n: number } }).metadata.n;

  test("a killed process delivers again what it was sending, in order, and loses nothing", {
    timeout: PATIENCE_MS,
  }, async () => {
    const { key } = await installation.createWorkspace();
    const made = await call(key, "/v2/workspace/triggers", { url: target.url(), events: ["activity.call"] });
    expect(made.status).toBe(201);
    let sent = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      // The target takes some, then one that it does not answer: the kill comes in the middle of that.
      const held = target.received.length + 1 + (kill % 3) * 5;
      target.behave = (received, response) =>
        target.received.length >= held ? hangs(received, response) : void response.writeHead(200).end();
      for (let n = 0; n < EACH; n++, sent++) {
        expect((await call(key, "/api/v1/capture", capture(sent))).status).toBe(200);
      }
      await expect.poll(() => target.received.length, { timeout: 60_000 }).toBe(held);
      const inFlight = target.received.at(-1);
      const crashed = installation.crashApp();
      target.accept();
      await crashed;
      const reached = () => new Set(target.received.map(numberOf)).size;
      await expect.poll(reached, { timeout: 60_000 }).toBe(sent);
      expect(target.received.filter(({ id }) => id === inFlight?.id).length).toBeGreaterThan(1);
    }
    // By their first arrival, and after each kill again from an earlier one: never with a gap.
    const numbers = target.received.map(numberOf);
    const firsts = [...new Set(numbers)];
    expect(firsts).toEqual(Array.from({ length: sent }, (_, n) => n));
    for (const [place, n] of numbers.entries()) expect(n).toBeLessThanOrEqual((numbers[place - 1] ?? -1) + 1);
  });

  test("two processes share the work: each event goes out once and in order, and either one takes over from the other", {
    timeout: PATIENCE_MS,
  }, async () => {
    const TENANTS = 4;
    const tenants: { key: string; received: ReceivedWebhook[]; sent: number }[] = [];
    const targets: WebhookTarget[] = [];
    const stops: (() => Promise<void>)[] = [];
    for (let index = 0; index < TENANTS; index++) {
      const own = new WebhookTarget();
      await own.start();
      targets.push(own);
      const { key } = await installation.createWorkspace();
      const made = await call(key, "/v2/workspace/triggers", { url: own.url(), events: ["activity.call"] });
      expect(made.status).toBe(201);
      tenants.push({ key, received: own.received, sent: 0 });
    }
    const send = () =>
      Promise.all(
        tenants.map(async (tenant) => {
          for (let n = 0; n < EACH; n++, tenant.sent++)
            expect((await call(tenant.key, "/api/v1/capture", capture(tenant.sent))).status).toBe(200);
        }),
      );
    const numbers = ({ received }: { received: ReceivedWebhook[] }) => received.map(numberOf);
    const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
    const arrived = async () => {
      for (const tenant of tenants)
        await expect.poll(() => new Set(numbers(tenant)).size, { timeout: 60_000 }).toBe(tenant.sent);
    };
    try {
      // Side by side: nothing twice.
      const killWorker = await installation.startWorker();
      await send();
      await arrived();
      for (const tenant of tenants) expect(numbers(tenant)).toEqual(upTo(tenant.sent));

      // The worker dies while events come in: the app goes on with what the worker had.
      const more = send();
      await killWorker();
      await more;
      await arrived();

      // The app dies with deliveries waiting: a worker alone brings them.
      const killOther = await installation.startWorker();
      stops.push(killOther);
      await send();
      await installation.killApp();
      await arrived();
      await installation.start();
      for (const tenant of tenants) {
        expect([...new Set(numbers(tenant))]).toEqual(upTo(tenant.sent));
        for (const [place, n] of numbers(tenant).entries())
          expect(n).toBeLessThanOrEqual((numbers(tenant)[place - 1] ?? -1) + 1);
      }
    } finally {
      for (const stop of stops) await stop();
      for (const own of targets) await own.stop();
    }
  });
});

describe("an import", () => {
  /** Every third row is about someone above it, every fiftieth about no one. */
  const FILE = [
    "Email,First Name,Title,Company",
    ...Array.from({ length: ROWS }, (_, n) => {
      const who = n % 3 === 0 ? Math.floor(n / 2) : n;
      return n % 50 === 0
        ? `,Nobody ${n},,`
        : `p${who}@company${who % 200}.example,First ${n},Title ${n % 7},Company ${who % 200}`;
    }),
  ].join("\n");

  const stateOf = async (caller: Caller, id: string) =>
    (await caller.get<{ import: Import }>(`/v2/imports/${id}`)).import;

  async function until(caller: Caller, id: string, state: string): Promise<Import> {
    for (;;) {
      const found = await stateOf(caller, id);
      expect(found.state, found.problem ?? "").not.toBe("failed");
      if (found.state === state) return found;
      await sleep(100);
    }
  }

  async function started(caller: Caller): Promise<string> {
    const { import: made } = await caller.post<{ import: Import }>("/v2/imports", { content: FILE });
    await until(caller, made.id, "ready");
    await caller.post(`/v2/imports/${made.id}/run`, {});
    return made.id;
  }

  /** What the workspace has in the end, without ids and times. */
  async function resultOf(caller: Caller, id: string) {
    const people = await all<Record<string, unknown>>(caller, "/v2/people", "people");
    const companies = await all<Record<string, unknown>>(caller, "/v2/companies", "companies");
    const rows = await all<{ row: number; outcome: string }>(caller, `/v2/imports/${id}/rows`, "rows");
    return {
      people: people
        .map(({ email, first_name, job_title, company }) => JSON.stringify([email, first_name, job_title, company]))
        .sort(),
      companies: companies.map(({ domain, people_count }) => `${domain} ${people_count}`).sort(),
      outcomes: rows.map(({ row, outcome }) => `${row} ${outcome}`),
    };
  }

  test("killed at random moments imports each row once, as one that was left alone", {
    timeout: PATIENCE_MS,
  }, async () => {
    const calm = await newCaller();
    const calmId = await started(calm);
    const left = await until(calm, calmId, "done");

    const struck = await newCaller();
    const id = await started(struck);
    await strike(async () => (await stateOf(struck, id)).run?.rows_done ?? 0);
    const done = await until(struck, id, "done");

    const { created, updated, unchanged, skipped, rows_done } = left.run as NonNullable<Import["run"]>;
    expect(done.run).toMatchObject({ created, updated, unchanged, skipped, rows_done });
    expect(await resultOf(struck, id)).toEqual(await resultOf(calm, calmId));
  });
});

describe("a bulk action", () => {
  test("killed at random moments changes each record once, and puts each back once", {
    timeout: PATIENCE_MS,
  }, async () => {
    const caller = await newCaller();
    const seen = async (id: string) =>
      (await caller.get<{ bulk_action: BulkAction }>(`/v2/bulk-actions/${id}`)).bulk_action;
    const until = async (id: string, state: string): Promise<BulkAction> => {
      for (;;) {
        const found = await seen(id);
        expect(found.state, found.message ?? "").not.toBe("failed");
        if (found.state === state) return found;
        await sleep(50);
      }
    };
    const stages = async (): Promise<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (const { pipeline_stage: stage } of await all<{ pipeline_stage: string }>(caller, "/v2/people", "people"))
        counts[stage] = (counts[stage] ?? 0) + 1;
      return counts;
    };
    for (let first = 0; first < ROWS; first += 1_000)
      await caller.post("/v2/people/bulk", {
        people: Array.from({ length: Math.min(1_000, ROWS - first) }, (_, n) => ({
          email: `p${first + n}@acme.com`,
          pipeline_stage: (first + n) % 3 === 0 ? "aware" : "interested",
        })),
      });
    const before = await stages();

    const body = { what: "people", filters: { search: "acme" }, action: "set_stage", pipeline_stage: "evaluating" };
    const { id } = (await caller.post<{ bulk_action: BulkAction }>("/v2/bulk-actions", body)).bulk_action;
    await strike(async () => (await seen(id)).done);
    expect(await until(id, "done")).toMatchObject({ total: ROWS, changed: ROWS, unchanged: 0, skipped: 0 });
    expect(await stages()).toEqual({ evaluating: ROWS });
    await caller.post(`/v2/bulk-actions/${id}/undo`, {});
    await strike(async () => (await seen(id)).undo?.done ?? 0);
    expect((await until(id, "undone")).undo).toEqual({ done: ROWS, restored: ROWS, kept: 0 });
    expect(await stages()).toEqual(before);
  });
});

describe("a sync with a CRM", () => {
  const PEOPLE = 250;
  const CALLS = 40;

  test("killed again and again creates each contact and each activity once", { timeout: PATIENCE_MS }, async () => {
    hubspot.tokens.add("pat-kill");
    hubspot.delay = 20; // so that most kills come between the CRM's work and its answer
    const caller = await newCaller();
    const people = Array.from({ length: PEOPLE }, (_, n) => ({ email: `p${n}@prospect.example`, first_name: `P${n}` }));
    await caller.post("/v2/people/bulk", { people });
    const calls = Array.from({ length: CALLS }, (_, n) => ({
      email: `p${n}@prospect.example`,
      type: "call",
      description: `Call ${n}`,
    }));
    await caller.post("/api/v1/capture/batch", calls);
    const credentials = { access_token: "pat-kill" };
    await caller.post("/v2/workspace/integrations", { provider: "hubspot", credentials });
    const rules = { provider: "hubspot", autoSync: false, createInCrm: true, createTrigger: "any" };
    await caller.post("/v2/workspace/crm-sync", rules);
    const { run } = await caller.post<{ run: CrmRun }>("/v2/workspace/crm-sync-now", { provider: "hubspot" });

    const done = () => hubspot.received.filter(({ path }) => /upsert|notes$/.test(path)).length;
    for (const moment of moments()) {
      while (done() < 1 + moment * CALLS) await sleep(2);
      await installation.crashApp();
    }
    const read = async () => (await caller.get<{ run: CrmRun }>(`/v2/workspace/crm-sync-runs/${run.id}?limit=1`)).run;
    await expect.poll(async () => (await read()).state, { timeout: 120_000, interval: 200 }).toBe("done");

    expect(await read()).toMatchObject({ compared: PEOPLE, failed: 0, activities: CALLS });
    const emails = hubspot.contacts.map(({ properties }) => properties.email);
    expect(emails).toHaveLength(PEOPLE);
    expect(new Set(emails).size).toBe(PEOPLE);
    const told = hubspot.entries.map(({ properties }) => /Call: Call \d+/.exec(properties.hs_note_body ?? "")?.[0]);
    expect(told).toHaveLength(CALLS);
    expect(new Set(told).size).toBe(CALLS);
  });
});
