export {
  connectMailbox,
  disconnectMailbox,
  getMailReport,
  listMailboxes,
  syncMailbox,
  testMailbox,
  updateMailbox,
} from "./service/mailboxes.ts";
