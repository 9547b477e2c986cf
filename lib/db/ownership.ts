import { keepConnected } from "./kept-connection.ts";
import type { ConnectionLock } from "./lock-order.ts";
import { tryLockConnection, unlockConnection } from "./locks.ts";
import { DIRECT_OPTIONS } from "./pooler.ts";

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

export async function ownership(of: ConnectionLock, events: { opened(): void; lost(): void }): Promise<Ownership> {
  const { opened, lost } = events;
  const connection = await keepConnected({
    name: `rapport-${of}`,
    options: DIRECT_OPTIONS,
    opened: () => opened(),
    lost: () => lost(),
  });
  return {
    async tryOwn(name) {
      const { client } = connection;
      if (!client) return false;
      try {
        return (await tryLockConnection(client, of, name)) && client === connection.client;
      } catch {
        return false; // the connection is gone, and `lost` is called
      }
    },
    async release(name) {
      const { client } = connection;
      if (client) await unlockConnection(client, of, name).catch(() => undefined);
    },
    stop: connection.stop,
  };
}
