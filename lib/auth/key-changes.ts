import pg from "pg";
import { getBoot } from "#lib/core/boot.ts";
import { singleton } from "#lib/core/singleton.ts";
import { forgetGrants } from "./api-keys.ts";

type Listener = { client: pg.Client | null; stopped: boolean; retry: NodeJS.Timeout | null };
const listener = singleton<Listener>("key-changes", () => ({ client: null, stopped: true, retry: null }));

const RETRY_MS = 1_000;

/**
 * Listens for changes of keys and plans (`rapport_keys`, payload: workspace id) and drops cached grants. While the
 * channel is down the cache is emptied on every retry, so a revoked key lives at most a second longer.
 */
export async function startKeyChanges(): Promise<void> {
  if (!listener.stopped) return;
  listener.stopped = false;
  await connect();
}

export async function stopKeyChanges(): Promise<void> {
  listener.stopped = true;
  if (listener.retry) clearTimeout(listener.retry);
  const { client } = listener;
  listener.client = null;
  await client?.end();
}

async function connect(): Promise<void> {
  if (listener.stopped) return;
  const client = new pg.Client({ connectionString: getBoot().databaseUrl, keepAlive: true, application_name: "rapport-key-changes" });
  client.on("notification", (message) => forgetGrants(message.payload));
  let lost = false;
  const reconnect = () => {
    if (lost) return;
    lost = true;
    listener.client = null;
    forgetGrants();
    if (!listener.stopped) listener.retry = setTimeout(() => void connect(), RETRY_MS).unref();
  };
  client.on("error", reconnect);
  client.on("end", reconnect);
  try {
    await client.connect();
    await client.query("LISTEN rapport_keys");
    listener.client = client;
    forgetGrants();
  } catch {
    reconnect();
  }
}
