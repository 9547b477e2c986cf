import type { Actor, Caller } from "#lib/core/context.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";

type Ctx = Caller & { db: Db };

/** Runs one step of longer work in a transaction of its own. */
export type Inside = <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;

/**
 * Steps with the authority of the one who called. `operation`: what the log calls them. `plansOnce`: for steps over many records of a
 * workspace that may have grown since the tables were analysed: a plan for its values would read it whole.
 */
export const insideOf =
  (caller: Caller, operation = "a job", { plansOnce = false } = {}): Inside =>
  (work) =>
    withWorkspace(caller.workspaceId, (db) => work({ ...caller, db }), { operation, plansOnce });

/** In the name of the one who asked for the work (`user:…`, as rows keep it): what is recorded is recorded from them. */
export function inNameOf<C extends Pick<Caller, "actor">>(ctx: C, by: string): C {
  const [type, ...rest] = by.split(":");
  return { ...ctx, actor: { type: type as Actor["type"], id: rest.join(":") } };
}
