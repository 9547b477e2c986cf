export { findObjectsToCome } from "./queries/keeping.ts";
export { countMeetings } from "./queries/sharing.ts";
export { keepMeetings, type NewCopy, type ReadObject } from "./service/keep.ts";
export { changeMeetingLevels, followMeetings, settleMeetingsNow } from "./service/settle.ts";
export { dropCollections, forgetMeetings, settleMergedMeetings } from "./service/share.ts";
