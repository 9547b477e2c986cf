import { connect, createServer, type Server, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll } from "vitest";
import { closePool } from "#lib/db/pool.ts";
import { getBoot, setBoot } from "#lib/settings/boot.ts";
import { database } from "./database.ts";

export type Gate = {
  /** The database's address through the gate. */
  url(): string;
  /** Lets everything through again, what was held back first. */
  open(): Promise<void>;
  /** Like a database that died: breaks every connection and refuses new ones. */
  close(): Promise<void>;
  /** Like a machine that was stopped: keeps connections, takes new ones, and lets nothing through. */
  hush(): void;
};

/** Puts a gate in front of the database of the test file, before a server of `useServer` that is declared after it. */
export function useGate(): Gate {
  const target = new URL(database.url);
  const pairs = new Set<[Socket, Socket]>();
  let silent = false;
  let server: Server | null = null;
  let port = 0;

  const through = (inside: Socket) => {
    const outside = connect(Number(target.port), target.hostname);
    const pair: [Socket, Socket] = [inside, outside];
    pairs.add(pair);
    for (const [from, to] of [pair, [outside, inside] as const]) {
      from.on("data", (bytes) => to.write(bytes));
      from.on("error", () => undefined);
      from.on("close", () => {
        to.destroy();
        pairs.delete(pair);
      });
      if (silent) from.pause();
    }
  };

  async function open(): Promise<void> {
    silent = false;
    for (const pair of pairs) for (const socket of pair) socket.resume();
    if (server) return;
    const opening = createServer(through);
    server = opening;
    await new Promise<void>((resolve) => opening.listen(port, "127.0.0.1", resolve));
    port = (opening.address() as { port: number }).port;
  }

  async function close(): Promise<void> {
    const closing = server;
    server = null;
    const closed = new Promise((resolve) => (closing ? closing.close(resolve) : resolve(undefined)));
    for (const [inside, outside] of pairs) {
      inside.destroy();
      outside.destroy();
    }
    await closed;
  }

  const url = () => {
    const gated = new URL(database.url);
    gated.host = `127.0.0.1:${port}`;
    return gated.href;
  };
  beforeAll(async () => {
    await open();
    await closePool();
    setBoot({ ...getBoot(), databaseUrl: url() });
  });
  afterEach(open);
  afterAll(async () => {
    await closePool();
    await close();
  });
  return {
    url,
    open,
    close,
    hush() {
      silent = true;
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
  };
}
