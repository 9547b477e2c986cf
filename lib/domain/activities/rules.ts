import { type ActivityType, timelineTypes } from "./contract.ts";

const PREFIX = "interaction.";

/** The property under which an activity is recorded. */
export const propertyOfActivity = (type: ActivityType): string => PREFIX + type;

/** The type of activity a property stands for; null for any other event. */
export const activityOf = (property: string): ActivityType | null =>
  property.startsWith(PREFIX) ? (timelineTypes.find((type) => type === property.slice(PREFIX.length)) ?? null) : null;

/** The event a custom activity names, in `metadata.event` or at the top of its value. */
export function eventIn(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const { metadata, event } = value as { metadata?: unknown; event?: unknown };
  const named =
    typeof metadata === "object" && metadata !== null && "event" in metadata
      ? (metadata as { event: unknown }).event
      : event;
  return typeof named === "string" ? named : null;
}
