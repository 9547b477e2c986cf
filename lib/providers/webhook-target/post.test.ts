import type { LookupAddress } from "node:dns";
import { afterEach, describe, expect, test } from "vitest";
import { answers, dribbles, hangs, WebhookTarget } from "#lib/testing/webhook-target.fixture.ts";
import { type Post, post, type Terms } from "./post.ts";

const targets: WebhookTarget[] = [];
afterEach(async () => {
  for (const target of targets.splice(0)) await target.stop();
});

async function open(host?: string, port?: number): Promise<WebhookTarget> {
  const target = await new WebhookTarget().start(host, port);
  targets.push(target);
  return target;
}

const send = (url: string, terms: Partial<Terms> = {}, given: Partial<Post> = {}) =>
  post({ url, headers: { "webhook-id": "1" }, body: '{"type":"x"}', ...given }, { privateAllowed: true, ...terms });

describe("a webhook's target", () => {
  test("gets the body and headers, and its answer is kept", async () => {
    const target = await open();
    expect(await send(target.url())).toMatchObject({ ok: true, status: 200, body: "ok", cut: false, problem: null });
    expect(target.received).toMatchObject([{ id: "1", raw: '{"type":"x"}' }]);
  });

  test("that is down, refuses or does not resolve is a problem in words", async () => {
    const target = await open();
    const url = target.url();
    await target.stop();
    expect(await send(url)).toMatchObject({ ok: false, status: null, problem: "It refuses connections." });
    expect(await send("http://no-such-name.invalid/")).toMatchObject({ ok: false, status: null });
    targets.length = 0;
  });

  test("is not followed when it redirects to the metadata address", async () => {
    const target = await open();
    target.behave = answers(302, { location: "http://169.254.169.254/latest/meta-data/" });
    expect(await send(target.url())).toMatchObject({
      ok: false,
      status: 302,
      problem: expect.stringContaining("redirect"),
    });
    expect(target.received).toHaveLength(1);
  });

  test("asks to wait in seconds or with a date", async () => {
    const target = await open();
    target.behave = answers(429, { "retry-after": "120" });
    expect(await send(target.url())).toMatchObject({ status: 429, retryAfterMs: 120_000 });
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    target.behave = answers(503, { "retry-after": date });
    const { retryAfterMs } = await send(target.url());
    expect(retryAfterMs).toBeGreaterThan(3_590_000);
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000);
  });

  test("that answers 5 MB is cut at 4 KiB and dropped", async () => {
    const target = await open();
    target.behave = answers(200, {}, "x".repeat(5 * 1024 * 1024));
    const answer = await send(target.url());
    expect(answer).toMatchObject({ ok: true, cut: true });
    expect(answer.body).toHaveLength(4096);
  });

  test("that never answers, or dribbles, ends when the time is over", async () => {
    const target = await open();
    target.behave = hangs;
    expect(await send(target.url(), { timeoutMs: 150 })).toMatchObject({
      ok: false,
      status: null,
      problem: "It did not answer in time.",
    });
    // Only once the status is there, however busy the machine is.
    const over = new AbortController();
    target.behave = dribbles((bytes) => bytes === 10 && over.abort());
    expect(await send(target.url(), { signal: over.signal })).toMatchObject({ ok: true, status: 200, cut: true });
  });

  test.each([
    "http://127.0.0.1:1/",
    "http://169.254.169.254/",
    "http://[::1]:1/",
    "http://10.1.2.3/",
    "http://localhost:1/",
  ])("at %s is refused before a connection", async (url) =>
    expect(await send(url, { privateAllowed: false })).toMatchObject({
      ok: false,
      problem: "Its address is not one of the public internet.",
    }),
  );

  test("with one private address among public ones is refused", async () => {
    const found: LookupAddress[] = [
      { address: "93.184.215.14", family: 4 },
      { address: "10.0.0.1", family: 4 },
    ];
    const answer = await send("http://mixed.example/", {
      privateAllowed: false,
      resolve: (_host, give) => give(null, found),
    });
    expect(answer.problem).toBe("Its address is not one of the public internet.");
  });

  test("whose name changes after the check is connected to at the address that was checked", async () => {
    const checked = await open("127.0.0.2");
    const inside = await open("127.0.0.1", checked.port);
    let asked = 0;
    const answer = await send(`http://rebinding.example:${checked.port}/`, {
      privateAllowed: false,
      permits: (address) => address === "127.0.0.2",
      resolve: (_host, give) => give(null, [{ address: asked++ === 0 ? "127.0.0.2" : "127.0.0.1", family: 4 }]),
    });
    expect(answer.ok).toBe(true);
    expect([checked.received.length, inside.received.length, asked]).toEqual([1, 0, 1]);
  });

  test("is not reached over a connection that was kept from a request to private addresses", async () => {
    const inside = await open("127.0.0.1");
    const url = `http://split.example:${inside.port}/`;
    const resolve: Terms["resolve"] = (_host, give) => give(null, [{ address: "127.0.0.1", family: 4 }]);
    expect(await send(url, { resolve })).toMatchObject({ ok: true });
    expect(await send(url, { resolve, privateAllowed: false })).toMatchObject({
      ok: false,
      problem: "Its address is not one of the public internet.",
    });
    expect(inside.received).toHaveLength(1);
  });

  test("that closed a kept connection is asked again at once", async () => {
    const target = await open();
    await send(target.url());
    const { port } = target;
    await target.stop();
    targets.length = 0;
    const again = await open("127.0.0.1", port);
    expect(await send(again.url())).toMatchObject({ ok: true });
  });
});
