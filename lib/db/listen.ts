import pg from "pg";
import { type KeptConnection, keepConnected } from "./kept-connection.ts";
import { directUrl } from "./pooler.ts";

export type Listening = Pick<KeptConnection, "stop">;

/** How long the sending connection may take to open. */
const CONNECT_MS = 10_000;

/**
 * Listens on a channel of the database with its own connection, and reconnects every second when it is lost.
 * `heard` is called with the payload of each notification. `missed` is called whenever notifications may have been
 * missed: at every loss and every (re)connection. Resolves after the first attempt to connect.
 */
export const listen = (channel: string, heard: (payload: string) => void, missed: () => void): Promise<Listening> =>
  keepConnected({
    name: `rapport-${channel}`,
    async opened(client) {
      client.on("notification", ({ payload }) => heard(payload ?? ""));
      await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      missed();
    },
    lost: () => missed(),
  });

export type Notifier = { send(payload: string): void; stop(): Promise<void> };

/**
 * Sends notifications on a channel with its own connection, opened for the first one: NOTIFY inside other transactions
 * would make their commits wait for each other. Notifications that cannot be sent are dropped.
 */
export function notifier(channel: string): Notifier {
  let current: Promise<pg.Client> | null = null;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: directUrl(),
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: `rapport-${channel}-send`,
    });
    const lose = () => {
      current = null;
    };
    client.on("error", lose);
    client.on("end", lose);
    await client.connect();
    return client;
  }

  async function send(payload: string): Promise<void> {
    current ??= connect();
    try {
      await (await current).query({ name: "notify", text: "SELECT pg_notify($1, $2)", values: [channel, payload] });
    } catch {
      current = null; // listeners read again when their own connection comes back
    }
  }

  let last: Promise<void> = Promise.resolve();
  return {
    send(payload) {
      last = last.then(() => send(payload));
    },
    async stop() {
      await last;
      const client = await current?.catch(() => null);
      current = null;
      await client?.end();
    },
  };
}
