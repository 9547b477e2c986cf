import pg from "pg";

/**
 * The connections of the queue's runner. Graphile Worker 0.18 gives the connection on which it listens back twice when it is lost
 * while the runner ends (`release` in its dist/main.js, by `gracefulShutdown` and by the LISTEN that failed). The driver throws at the
 * second, in a promise that no one handles, which would end the process. Here the second does nothing.
 */
export class QueuePool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool["connect"]>[0]): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | undefined {
    if (!callback) return super.connect();
    super.connect((error, client, done) => {
      let isReleased = false;
      callback(error, client, (reason) => {
        if (isReleased) return;
        isReleased = true;
        done(reason);
      });
    });
    return undefined;
  }
}
