export type { Content } from "./service/content.ts";
export { type Holder, keepMessages, type MessageParty, type NewMessage } from "./service/keep.ts";
export { getThread, listThreads, readThreads, threadsShown } from "./service/read.ts";
export {
  changeLevels,
  forgetMessages,
  getMailShare,
  memberOf,
  readCeiling,
  setMailCeiling,
  settleNow,
  shareMailOf,
  shareThread,
} from "./service/share.ts";
