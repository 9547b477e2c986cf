import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from "./embedded.ts";

/** A server that ran this long did not fail because of its start. */
const SETTLED_MS = 60_000;
/** After so many crashes in a row the operator is told. */
const MANY_DEATHS = 5;

/** How long to wait before a server that crashed so many times in a row is started again, in milliseconds. */
export const pauseAfterDeath = (deaths: number): number => Math.min(100 * 2 ** (deaths - 1), 3_000);

/** How long to wait before the next try after so many starts in a row that failed, in milliseconds. */
export const pauseAfterFailure = (failures: number): number => Math.min(1_000 * 2 ** (failures - 1), 30_000);

export interface SupervisedServer {
  url: string;
  superuserUrl: string;
  adopted: boolean;
  stop(): Promise<void>;
}

/**
 * Keeps the embedded server running: when it crashes it is started again on the same port, so that connection pools
 * find it. It keeps trying, with growing pauses, and prints one line whenever the problem changes. `onLost` is called
 * only when the server came back at an address that the pools do not know.
 */
export async function superviseEmbedded(
  options: EmbeddedOptions & { onLost: (reason: OperatorError) => void },
): Promise<SupervisedServer> {
  const { log, onLost } = options;
  let server = await startEmbedded(options);
  const { url, superuserUrl, adopted, port } = server;
  const stopping = new AbortController();
  let restarting: Promise<void> | undefined;

  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  const startAgain = async (): Promise<EmbeddedServer | undefined> => {
    let output = "";
    for (let failures = 1; !stopping.signal.aborted; failures++) {
      try {
        return await startEmbedded({ ...options, port });
      } catch (error) {
        const reason = (error as Error).message;
        if (reason !== output)
          log(`the database server cannot be started; Rapport goes on trying, at least twice a minute: ${reason}`);
        output = reason;
        await pause(pauseAfterFailure(failures));
      }
    }
    return undefined;
  };

  const restart = async (deaths: number) => {
    log(
      deaths % MANY_DEATHS === 0
        ? `the database server died ${deaths} times in a row; Rapport goes on starting it again, with pauses of up to ${pauseAfterDeath(deaths) / 1000} s (its log is in ${options.dataDir})`
        : "the database server died; starting it again",
    );
    await pause(pauseAfterDeath(deaths));
    const dead = server;
    const started = await startAgain();
    if (!started) return;
    server = started;
    await dead.stop();
    if (server.url !== url)
      throw new OperatorError("The database server came back at another address; start Rapport again.");
    log(`the database server is back (process ${server.pid})`);
  };

  const keep = async () => {
    for (let deaths = 0; ; ) {
      const began = Date.now();
      const { asked } = await server.exited;
      if (asked || stopping.signal.aborted) return;
      deaths = Date.now() - began > SETTLED_MS ? 1 : deaths + 1;
      restarting = restart(deaths);
      try {
        await restarting;
      } catch (error) {
        const reason = error as Error;
        if (!stopping.signal.aborted)
          onLost(reason instanceof OperatorError ? reason : new OperatorError(reason.message, { cause: reason }));
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
      stopping.abort();
      await restarting?.catch(() => undefined);
      await server.stop();
    },
  };
}
