export { isIn, isOwn, type Sides } from "./rules/judge.ts";
export { sidesOf } from "./rules/sides.ts";
export { companyAddresses } from "./service/addresses.ts";
export {
  connectMailbox,
  disconnectMailbox,
  getMailReport,
  listMailboxes,
  syncMailbox,
  testMailbox,
  updateMailbox,
} from "./service/mailboxes.ts";
