import { log } from "#lib/core/log.ts";
import { singleton } from "#lib/core/singleton.ts";
import { together } from "#lib/core/together.ts";
import { onShutdown } from "#lib/settings/boot.ts";

type Running = { works: Set<Promise<void>>; registered: boolean };
const running = singleton<Running>("background", () => ({ works: new Set(), registered: false }));

/**
 * Work that no request waits for: mail, and work whose duration would reveal whether a user exists. A failure is
 * logged; a stop waits for the rest.
 */
export function inBackground(what: string, work: () => Promise<unknown>): void {
  if (!running.registered) {
    running.registered = true;
    onShutdown(async () => {
      running.registered = false;
      await backgroundDone();
    });
  }
  const done: Promise<void> = work()
    .then(() => undefined)
    .catch((error: unknown) => log.error({ err: error }, `${what} failed`))
    .finally(() => running.works.delete(done));
  running.works.add(done);
}

export async function backgroundDone(): Promise<void> {
  await together([...running.works]);
}
