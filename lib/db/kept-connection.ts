import pg from "pg";
import { directUrl } from "./pooler.ts";

const RETRY_MS = 1_000;
/** When the server does not answer, connects again. */
const CONNECT_MS = 10_000;

type ConnectionOptions = {
  /** what the database calls it */
  name: string;
  options?: string;
  /** Prepares each new connection; when it fails, that one counts as lost. */
  opened(client: pg.Client): void | Promise<void>;
  /** A connection, or the attempt at one, failed. */
  lost(error?: unknown): void;
};

/** A connection outside the pool that opens again a second after it is lost. `client`: null while there is none. */
export type KeptConnection = { readonly client: pg.Client | null; stop(): Promise<void> };

/** Resolves after the first attempt to connect. */
export async function keepConnected({ name, options, opened, lost }: ConnectionOptions): Promise<KeptConnection> {
  let newest: pg.Client | null = null; // that is open, or being opened
  let current: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let stopped = false;

  async function connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: directUrl(),
      ...(options === undefined ? {} : { options }),
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: name,
    });
    newest = client;
    let isLost = false;
    const lose = (error?: unknown) => {
      if (isLost) return;
      isLost = true;
      current = null;
      newest = null;
      lost(error);
      if (!stopped) retry = setTimeout(() => void connect(), RETRY_MS).unref();
    };
    client.on("error", lose);
    client.on("end", () => lose());
    try {
      await client.connect();
      current = client;
      await opened(client);
    } catch (error) {
      lose(error); // a database that restarts is back in a moment
      await client.end().catch(() => undefined);
    }
  }

  await connect();
  return {
    get client() {
      return current;
    },
    async stop() {
      stopped = true;
      if (retry) clearTimeout(retry);
      await newest?.end();
    },
  };
}
