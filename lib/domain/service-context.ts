import type { Caller } from "#lib/core/context.ts";
import type { Db } from "#lib/db/handle.ts";

/** What a service gets: who calls, and one open transaction under the caller's workspace. */
export type Ctx = Caller & { db: Db };
