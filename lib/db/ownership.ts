import pg from "pg";
import type { ConnectionLock } from "./lock-order.ts";
import { tryLockConnection, unlockConnection } from "./locks.ts";
import { DIRECT_OPTIONS, directUrl } from "./pooler.ts";

const RETRY_MS = 1_000;
const CONNECT_MS = 10_000;

/**
 * Locks that this process holds for as long as it lives: they are on a separate connection, which ends with the process,
 * however it ends. When the connection is lost all of them are: `lost` is called, and after a new connection `opened`.
 */
export type Ownership = {
  /** Takes the lock of a name; false when another process has it, or there is no connection. */
  tryOwn(name: string): Promise<boolean>;
  release(name: string): Promise<void>;
  stop(): Promise<void>;
};

export async function ownership(of: ConnectionLock, told: { opened(): void; lost(): void }): Promise<Ownership> {
  let current: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let stopped = false;

  async function connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: directUrl(),
      options: DIRECT_OPTIONS,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: `rapport-${of}`,
    });
    let isLost = false;
    const lose = () => {
      if (isLost) return;
      isLost = true;
      current = null;
      told.lost();
      if (!stopped) retry = setTimeout(() => void connect(), RETRY_MS).unref();
    };
    client.on("error", lose);
    client.on("end", lose);
    try {
      await client.connect();
      current = client;
      told.opened();
    } catch {
      lose(); // it connects again: a database that restarts is back in a moment
    }
  }

  await connect();
  return {
    async tryOwn(name) {
      const client = current;
      if (!client) return false;
      try {
        return (await tryLockConnection(client, of, name)) && client === current;
      } catch {
        return false; // the connection is gone, and `lost` is called
      }
    },
    async release(name) {
      if (current) await unlockConnection(current, of, name).catch(() => undefined);
    },
    async stop() {
      stopped = true;
      if (retry) clearTimeout(retry);
      await current?.end();
    },
  };
}
