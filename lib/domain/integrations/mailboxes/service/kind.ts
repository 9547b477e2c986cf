import { jobKind } from "#lib/jobs/queue.ts";

/** Jobs of one workspace that read mail run one after the other, so a mailbox has one connection. */
export const syncing = jobKind("mailboxes:sync", {
  label: "Read a mailbox",
  ids: ["mailbox_id"],
  queue: "mail",
  once: true,
});

/** A look at a mailbox that has something new comes before mailboxes that are only due. */
export const news = { ...syncing, priority: -1 };
