/** What was done with a meeting of a calendar. */
export const meetingOutcomes = ["guests", "internal", "private", "blocked", "unreadable"] as const;
export type MeetingOutcome = (typeof meetingOutcomes)[number];
