import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "#lib/core/operator-error.ts";
import { type EmbeddedOptions, startEmbedded } from "./embedded.ts";

const MOST_RESTARTS = 5;
/** A server that ran this long did not fail because of its start. */
const SETTLED = 60_000;

export interface Supervised {
  url: string;
  superuserUrl: string;
  adopted: boolean;
  stop(): Promise<void>;
}

/**
 * Keeps the embedded server running: when it dies it is started again on the same port, so that connection pools find
 * it. After too many deaths in a row, or when it cannot come back, `onLost` says why.
 */
export async function superviseEmbedded(
  options: EmbeddedOptions & { onLost: (reason: OperatorError) => void },
): Promise<Supervised> {
  const { log, onLost } = options;
  let server = await startEmbedded(options);
  const { url, superuserUrl, adopted, port } = server;
  let stopped = false;
  let restarting: Promise<void> | undefined;

  const restart = async (deaths: number) => {
    if (deaths > MOST_RESTARTS)
      throw new OperatorError(`The database server died ${deaths} times in a row; see its log in ${options.dataDir}.`);
    log("the database server died; starting it again");
    await sleep(100 * deaths);
    if (stopped) return;
    const dead = server;
    server = await startEmbedded({ ...options, port });
    await dead.stop();
    if (server.url !== url)
      throw new OperatorError("The database server came back at another address; start Rapport again.");
    log(`the database server is back (process ${server.pid})`);
  };

  const keep = async () => {
    for (let deaths = 0; ; ) {
      const began = Date.now();
      const { asked } = await server.exited;
      if (asked || stopped) return;
      deaths = Date.now() - began > SETTLED ? 1 : deaths + 1;
      restarting = restart(deaths);
      try {
        await restarting;
      } catch (error) {
        if (!stopped)
          onLost(
            error instanceof OperatorError ? error : new OperatorError((error as Error).message, { cause: error }),
          );
        return;
      }
    }
  };
  void keep();

  return {
    url,
    superuserUrl,
    adopted,
    async stop() {
      stopped = true;
      await restarting?.catch(() => undefined);
      await server.stop();
    },
  };
}
