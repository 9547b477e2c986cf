export { isIn, isOwn, type Sides, sidesOf } from "./rules/judge.ts";
export { companyAddresses, ownAddresses } from "./service/addresses.ts";
export { keepLogged, makeLogMailbox } from "./service/logged.ts";
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
