import { bookkeeping } from "#lib/domain/records/evidence/words.ts";

const PREFIX = "interaction.";

/** The activity type of an event; its property when it is no interaction. */
export const typeOf = (property: string): string =>
  property.startsWith(PREFIX) ? property.slice(PREFIX.length) : property;

/** The properties that a type filter means. */
export const propertiesOfType = (type: string): string[] => [PREFIX + type, type];

const labels = ["description", "summary", "title", "subject", "text", "content", "name"] as const;

/** The human-readable label of an event's value; null when it has none. */
export function labelOf(value: unknown): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value;
  if (typeof value !== "object" || value === null) return null;
  for (const label of labels) {
    const text = (value as Record<string, unknown>)[label];
    if (typeof text === "string" && text.trim() !== "") return text;
  }
  return null;
}

/** The property that records what replaced a booking. */
export const propertyOfSuperseded = (source: string, externalId: string): string =>
  `${bookkeeping.superseded}${source}.${externalId}`;

/** A booking's value as a timeline shows it: once it was replaced, its label and metadata say so. */
export function valueShown(value: unknown, supersededBy: string | null): unknown {
  if (supersededBy === null) return value;
  const record = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  const { metadata } = record as { metadata?: unknown };
  const kept = typeof metadata === "object" && metadata !== null ? metadata : {};
  const label = labelOf(value);
  return {
    ...record,
    description: label === null ? "Rescheduled" : `Rescheduled: ${label.replace(/^Booked: /, "")}`,
    metadata: { ...kept, superseded_by: supersededBy },
  };
}

/** A meeting that was booked, or called off. `at`: the time it was booked for. */
type Meeting = { entityId: string; source: string; value: unknown; at: Date };

/**
 * Finds the meetings that these cancellations call off. Where both name a booking it must be the same one: the slot may
 * have been booked again. Otherwise the time decides.
 */
export function calledOffBy(cancellations: readonly Meeting[]): (meeting: Meeting) => boolean {
  const bookings = new Set(cancellations.map(bookingOf));
  const times = new Set(cancellations.map(timeOf));
  const timesOnly = new Set(cancellations.filter((one) => bookingOf(one) === null).map(timeOf));
  return (meeting) => {
    const booking = bookingOf(meeting);
    return booking === null ? times.has(timeOf(meeting)) : bookings.has(booking) || timesOnly.has(timeOf(meeting));
  };
}

const timeOf = ({ entityId, at }: Meeting): string => `${entityId} ${at.getTime()}`;

/** The booking that a provider's `metadata.uid` names; null when there is none. */
function bookingOf({ entityId, source, value }: Meeting): string | null {
  const { metadata } = Object(value) as { metadata?: unknown };
  const { uid } = Object(metadata) as { uid?: unknown };
  return typeof uid === "string" && uid !== "" ? JSON.stringify([entityId, source, uid]) : null;
}
