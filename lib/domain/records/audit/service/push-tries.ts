import type { Db } from "#lib/db/handle.ts";
import { findPush } from "../queries/pushes.ts";

/** How often the next block was sent to AUDIT_PUSH_URL and not taken. Apart from sending, which pages cannot load. */
export const countPushTries = async ({ db }: { db: Db }): Promise<number> => (await findPush(db))?.tries ?? 0;
