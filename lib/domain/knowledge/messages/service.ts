export { tidyMessages } from "./queries/sharing.ts";
export type { Content } from "./service/content.ts";
export { holdMail } from "./service/hold.ts";
export { keepMessages, type NewMessage } from "./service/keep.ts";
export { getThread, listThreads } from "./service/read.ts";
export { changeLevels, settleNow } from "./service/settle.ts";
export {
  forgetMessages,
  getMailShare,
  leaveMessages,
  memberOf,
  messagesWith,
  readCeiling,
  setMailCeiling,
  settleMerged,
  shareMailOf,
  shareThread,
} from "./service/share.ts";
