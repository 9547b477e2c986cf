/** The source of what calendars say on a timeline. An agent that reports the same meeting gives it, and the meeting's UID. */
export const MEETING_SOURCE = "calendar";

export type MeetingType = "meeting_scheduled" | "meeting_cancelled" | "meeting_held";

export const guestAnswers = ["accepted", "declined", "tentative", "none"] as const;
export type GuestAnswer = (typeof guestAnswers)[number];
