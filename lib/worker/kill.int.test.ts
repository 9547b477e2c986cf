/** Deliveries while our process is killed in the middle of them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createInstallation, type Installation } from "#lib/testing/installation.fixture.ts";
import { hangs, type ReceivedWebhook, WebhookTarget } from "#lib/testing/webhook-target.fixture.ts";

/** `KILLS=50` for a long run. */
const KILLS = Number(process.env.KILLS ?? 3);
const EACH = 25;

let installation: Installation;
const target = new WebhookTarget();
beforeAll(async () => {
  await target.start();
  installation = await createInstallation({ RATE_LIMIT_PER_MINUTE: "0", ALLOW_PRIVATE_WEBHOOK_TARGETS: "true" });
  await installation.start();
});
afterAll(async () => {
  await installation.remove();
  await target.stop();
});

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
  timeout: 60_000 + KILLS * 30_000,
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
  timeout: 120_000,
}, async () => {
  const TENANTS = 4;
  const tenants: { key: string; received: ReceivedWebhook[]; sent: number }[] = [];
  const targets: WebhookTarget[] = [];
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
    await installation.startWorker();
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
    for (const own of targets) await own.stop();
  }
});
