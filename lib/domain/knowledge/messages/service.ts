export { countRelationships } from "./queries/relationships.ts";
export { countSharedBy, findApart, findCeiling, leaveMailboxes, setApart, setCeiling } from "./queries/sharing.ts";
export { type Apart, shareOf } from "./rules/sharing.ts";
export type { Content } from "./service/content.ts";
export { apartOf, holdMail, peopleOf } from "./service/hold.ts";
export { keepMessages, type NewMessage } from "./service/keep.ts";
export { noteOpened } from "./service/opened.ts";
export { previewMailbox, previewThread, previewThreads } from "./service/preview.ts";
export { type Conversation, getThread, listMessages, listThreads, readConversation, viewerOf } from "./service/read.ts";
export { type FoundMail, findMail } from "./service/search.ts";
export { changeLevels, settleNow, tidyMessages } from "./service/settle.ts";
export {
  forgetMessages,
  forMember,
  leastOfMailboxes,
  leaveMessages,
  memberOf,
  messagesWith,
  settleMerged,
  shareThread,
} from "./service/share.ts";
