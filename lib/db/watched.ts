import type { Socket } from "node:net";
import pg from "pg";
import { noteAway, noteBack, noteLoss } from "#lib/core/outage.ts";
import { isUnavailable } from "#lib/core/unavailable.ts";
import { explainConnectFailure } from "./embedded/probe.ts";

/** pg-pool's message when a request got no connection in time because all were in use. */
const ALL_BUSY = "timeout exceeded when trying to connect";

/** pg-pool's message when the pool was closed, by us. */
const ENDED = "Cannot use a pool after calling end on the pool";

/** Notes that no connection could be obtained. */
export function noteFailure(error: Error): void {
  if (!isUnavailable(error) || error.message === ENDED) return;
  if (error.message === ALL_BUSY) noteLoss();
  else noteAway(explainConnectFailure(error));
}

type Internals = {
  connection: {
    stream: Socket;
    on(event: "errorMessage", heard: (error: Error) => void): void;
    once(event: "readyForQuery", heard: () => void): void;
  };
  _activeQuery: unknown;
  _sentQueryQueue: readonly unknown[];
};

/**
 * A connection that notes the loss of its server (`lib/core/outage.ts`) before the queries that wait for an answer
 * fail. It is given up when the server has to answer but stays silent for `silentMillis`: a stopped machine or a cut
 * cable does not close connections, and requests would wait forever.
 */
export class WatchedClient extends pg.Client {
  constructor(config: pg.ClientConfig & { silentMillis?: number } = {}) {
    super(config);
    const internals = this as unknown as Internals;
    const { connection } = internals;
    this.on("error", noteLoss);
    connection.on("errorMessage", (error) => {
      if (isUnavailable(error)) noteLoss();
    });
    connection.once("readyForQuery", () => {
      noteBack();
      connection.stream.setTimeout(config.silentMillis ?? 0, () => {
        if (internals._activeQuery === null && internals._sentQueryQueue.length === 0) return;
        connection.stream.destroy(Object.assign(new Error("the database fell silent"), { code: "ETIMEDOUT" }));
      });
    });
  }
}

type ConnectCallback = NonNullable<Parameters<pg.Pool["connect"]>[0]>;

/** A pool that notes when no connection can be opened, or none is free in time. */
export class WatchedPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (callback) {
      super.connect((error, client, release) => {
        if (error) noteFailure(error);
        callback(error, client, release);
      });
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.connect((error, client) => (error ? reject(error) : resolve(client as pg.PoolClient)));
    });
  }
}
