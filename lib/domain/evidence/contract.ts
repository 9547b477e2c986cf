/** What can happen with a contact. */
export const activityTypes = [
  "email_sent",
  "email_received",
  "email_opened",
  "email_bounced",
  "call",
  "meeting_scheduled",
  "meeting_held",
  "website_visit",
  "linkedin_message",
  "note",
  "custom",
] as const;

/** The types a timeline may hold: cancellations come only from a booking provider. */
export const timelineTypes = [...activityTypes, "meeting_cancelled"] as const;
export type ActivityType = (typeof timelineTypes)[number];

const PREFIX = "interaction.";

/** The property under which an activity is recorded. */
export const propertyOfActivity = (type: ActivityType): string => PREFIX + type;

/** The activity type of a property; null for any other event. */
export const activityOf = (property: string): ActivityType | null =>
  property.startsWith(PREFIX) ? (timelineTypes.find((type) => type === property.slice(PREFIX.length)) ?? null) : null;
