import type { Schedule } from "#lib/jobs/handler.ts";
import { logMailbox } from "./service/address.ts";
import { readLogMailbox } from "./service/read.ts";

/** Once a minute: what members sent to their log addresses, of all workspaces. */
export const schedules: readonly Schedule[] = [
  {
    name: "log-addresses:read",
    pattern: "* * * * *",
    isNeeded: () => logMailbox() !== null,
    async run(signal) {
      const mailbox = logMailbox();
      if (mailbox) await readLogMailbox(mailbox, signal);
    },
  },
];
