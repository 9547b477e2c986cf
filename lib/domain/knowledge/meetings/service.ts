export { findObjectsToCome } from "./queries/keeping.ts";
export { countMeetings, countSharedBy, leaveCalendars } from "./queries/sharing.ts";
export { keepMeetings, type NewCopy, type ReadObject } from "./service/keep.ts";
export { getMeeting, listMeetings, meetingTitles, unsharedMeetings } from "./service/read.ts";
export { changeMeetingLevels, followMeetings, settleMeetingsNow, tidyMeetings } from "./service/settle.ts";
export {
  dropCollections,
  forgetMeetings,
  leastOfCalendars,
  settleMergedMeetings,
  shareMeeting,
} from "./service/share.ts";
