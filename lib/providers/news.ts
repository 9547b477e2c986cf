/** A booking as both a provider's API and its webhooks describe it. Strings may hold anything a provider sends. */
export type Booking = {
  uid: string;
  /** the booking that this one replaced */
  previousUid?: string | null;
  /** the booking that replaced this one, which is then the old half of a reschedule */
  nextUid?: string | null;
  /** lower case; the API has accepted, cancelled, rejected, pending and awaiting_host, and may add more */
  status: string;
  start: Date;
  end?: Date | null;
  title?: string | null;
  location?: string | null;
  icalUid?: string | null;
  attendees: readonly { email?: string | null; name?: string | null }[];
  /** e-mail addresses of our own side: hosts, organizer, team */
  hosts?: readonly (string | null | undefined)[];
  /** the cancellation asks for another time */
  requestReschedule?: boolean;
};

/** A meeting that was recorded. */
export type Recording = {
  id: string;
  title: string;
  startedAt: Date;
  shareUrl: string | null;
  /** Markdown */
  summary: string | null;
  /** addresses of those invited, normalised, each once, in order */
  invitees: readonly string[];
};

/** What a delivery says, in the same form for all providers. */
export type News =
  | { kind: "booked" | "moved" | "cancelled"; booking: Booking }
  | { kind: "recorded"; recording: Recording }
  | { kind: "ping" }
  | { kind: "skip"; reason: SkipReason };

/** Why a delivery is not recorded, as people read it. */
export const skipMessages = {
  unknown_event: "Events of this kind are not used.",
  no_booking_uid: "The event names no booking (uid).",
  no_start_time: "The event does not say when the meeting starts (startTime).",
  no_recording_id: "The event names no recording (id or recording_id).",
} as const;
type SkipReason = keyof typeof skipMessages;

/** In the example domain, which has no mailboxes: the guest of our own samples. */
export const SAMPLE_ADDRESS = "sample@rapport-test.example";
