import { takeTurn as takeTurnOf } from "#lib/jobs/pace.ts";

/** The provider allows 120 calls per minute and key; this leaves room for the people who use the same portal. */
const GAP_MS = 600;

/** Waits until the connection's next call is due: at most 100 a minute. */
export const takeTurn = (connectionId: string): Promise<void> => takeTurnOf(`bookings:${connectionId}`, GAP_MS);
