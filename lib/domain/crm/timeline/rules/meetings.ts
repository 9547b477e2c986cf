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
