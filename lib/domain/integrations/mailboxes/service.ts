export { isIn, isOwn, type Sides } from "./rules/judge.ts";
export { sidesOf } from "./rules/sides.ts";
export { companyAddresses } from "./service/addresses.ts";
export {
  connectMailbox,
  disconnectMailbox,
  findMailServer,
  getMailReport,
  listMailboxes,
  listMailFolders,
  syncMailbox,
  testMailbox,
  updateMailbox,
} from "./service/mailboxes.ts";
export { finishMailSignIn, startMailSignIn } from "./service/sign-in.ts";
export { startMailWatch, stopMailWatch } from "./service/watch.ts";
