import { withoutWorkspace } from "#lib/db/transaction.ts";
import type { Schedule } from "#lib/jobs/handler.ts";
import { deleteExpired } from "./queries.ts";
import { KEPT_HOURS } from "./rules.ts";

/** Every hour: deletes logins that ended a day ago. */
export const schedules: readonly Schedule[] = [
  {
    name: "device-logins:sweep",
    pattern: "47 * * * *",
    run: () => withoutWorkspace((db) => deleteExpired(db, KEPT_HOURS)),
  },
];
