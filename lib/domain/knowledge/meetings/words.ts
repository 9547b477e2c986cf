/** The source of what calendars say on a timeline. An agent that reports the same meeting gives it, and the meeting's UID. */
export const MEETING_SOURCE = "calendar";

export const meetingTypes = ["meeting_scheduled", "meeting_cancelled", "meeting_held"] as const;
export type MeetingType = (typeof meetingTypes)[number];

export const guestAnswers = ["accepted", "declined", "tentative", "none"] as const;
export type GuestAnswer = (typeof guestAnswers)[number];
