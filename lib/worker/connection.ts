import type pg from "pg";
import { connected } from "#lib/db/connected.ts";
import { DIRECT_OPTIONS, directUrl } from "#lib/db/pooler.ts";

/** One connection for `work`, as the owner of the queue: jobs of all workspaces. */
export const pgOf = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> =>
  connected({ connectionString: directUrl(), options: DIRECT_OPTIONS, application_name: "rapport-jobs" }, work);
