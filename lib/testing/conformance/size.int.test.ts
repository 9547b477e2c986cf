/** Bodies larger than an operation takes: proven with one operation of each kind. */
import { describe, expect, test } from "vitest";
import { bodyLimit } from "#lib/core/operation.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { useServer } from "../server.fixture.ts";
import { chunk, openWire, requestText } from "../socket.fixture.ts";
import { bodyOperations, castOf, oneOfEachKind } from "./cast.ts";
import { inputOf } from "./scenarios.ts";
import { requestOf, sender } from "./surface.ts";

const server = useServer();
const { send } = sender(server.url);
const limitOf = ({ contract }: Operation): number => bodyLimit(contract);
const isHealthy = async () => (await fetch(`${server.url()}/healthz`)).status === 200;

describe.each(oneOfEachKind(bodyOperations))("%s", (name, operation) => {
  const limit = limitOf(operation);

  /** The request up to its body, as text for the wire. */
  async function headOf(headers: Record<string, string>): Promise<string> {
    const { stage, as } = await castOf(operation);
    const { path, init } = requestOf(operation, await inputOf(name, stage), as, server.url());
    return requestText(`${init.method} ${path}`, { ...init.headers, host: new URL(server.url()).host, ...headers });
  }

  test("takes a body of exactly its limit", async () => {
    const { stage, as } = await castOf(operation);
    const answered = await send(operation, await inputOf(name, stage), as, ({ init }) => {
      const body = init.body as string;
      init.body = body + " ".repeat(limit - Buffer.byteLength(body));
    });
    expect(answered.status, answered.text).toBeLessThan(300);
  });

  test("refuses one byte more with 413 once it is read, and the connection goes on", async () => {
    const wire = openWire(server.url());
    wire.write(await headOf({ "content-length": String(limit + 1) }));
    wire.write(" ".repeat(limit + 1));
    const received = await wire.until(/"payload_too_large"/);
    expect(received).toMatch(/^HTTP\/1\.1 413/);
    expect(received).toContain(`"limit_bytes":${limit}`);
    expect(received.toLowerCase()).not.toContain("connection: close");
    wire.write(requestText("GET /healthz"));
    await wire.until(/"uptime_seconds"/);
    wire.destroy();
  });

  test("refuses more than twice its limit as soon as that is announced", async () => {
    const wire = openWire(server.url());
    wire.write(await headOf({ "content-length": String(limit * 2 + 1) }));
    expect(await wire.until(/"payload_too_large"/)).toMatch(/^HTTP\/1\.1 413/); // nothing of the body was sent
    expect(await isHealthy()).toBe(true);
    wire.destroy();
  });

  test("refuses an endless body with 413 when it passes twice the limit, which the sender gets to read", async () => {
    const wire = openWire(server.url());
    wire.write(await headOf({ "transfer-encoding": "chunked" }));
    const piece = chunk(" ".repeat(256 * 1024));
    for (let sent = 0; sent <= limit * 2 + 1024 * 1024 && wire.socket.writable; sent += 256 * 1024) wire.write(piece);
    expect(await wire.until(/"payload_too_large"/)).toMatch(/^HTTP\/1\.1 413/);
    expect(await isHealthy()).toBe(true);
    wire.destroy();
  });
});

test("a client that writes its whole oversized body before it reads still learns why it was refused", async () => {
  const [name, operation] = bodyOperations[0] as (typeof bodyOperations)[number];
  const { stage, as } = await castOf(operation);
  for (const times of [1.5, 2, 2.1, 4].flatMap((each) => Array.from({ length: 5 }, () => each))) {
    const answered = await send(operation, await inputOf(name, stage), as, ({ init }) => {
      init.body = " ".repeat(limitOf(operation) * times);
    });
    expect([times, answered.status, answered.body.error]).toEqual([times, 413, "payload_too_large"]);
  }
});
