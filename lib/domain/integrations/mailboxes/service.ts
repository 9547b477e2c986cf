export { ownAddresses } from "./service/keep.ts";
export { keepLogged, makeLogMailbox } from "./service/logged.ts";
export {
  connectMailbox,
  disconnectMailbox,
  getMailReport,
  listMailboxes,
  syncMailbox,
  testMailbox,
  updateMailbox,
} from "./service/mailboxes.ts";
