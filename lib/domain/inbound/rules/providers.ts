import { type SigningScheme, standardWebhooks } from "#lib/core/webhook-signatures.ts";
import { type InboundProvider, inboundProviders } from "../contract.ts";
import { type BookingNews, bookingEventOf, readBookingNews } from "./bookings.ts";
import type { Json } from "./fields.ts";
import { type Recording, readRecording } from "./recordings.ts";

/** What a delivery says, in the same form for all providers. */
export type News =
  | BookingNews
  | { kind: "recorded"; recording: Recording }
  | { kind: "skip"; reason: "no_recording_id" };

type Provider = {
  scheme: SigningScheme;
  eventOf(payload: Json): string | null;
  read(payload: Json, receivedAt: Date): News;
  /** A delivery about nobody, for testing the inbox. */
  sample(at: Date): Json;
};

/** In the example domain, where nobody has a mailbox. */
const NOBODY = "nobody@rapport-test.example";

export const providers: Readonly<Record<InboundProvider, Provider>> = {
  cal_com: {
    scheme: { header: "x-cal-signature-256", encoding: "hex", key: "text" },
    eventOf: bookingEventOf,
    read: readBookingNews,
    sample: (at) => ({
      triggerEvent: "PING",
      createdAt: at.toISOString(),
      payload: { type: "Test", title: "Signed test from Rapport", attendees: [{ email: NOBODY, name: "Nobody" }] },
    }),
  },
  fathom: {
    scheme: standardWebhooks,
    eventOf: () => null,
    read(payload, receivedAt) {
      const recording = readRecording(payload, receivedAt);
      return recording ? { kind: "recorded", recording } : { kind: "skip", reason: "no_recording_id" };
    },
    sample: (at) => ({
      title: "Signed test from Rapport",
      recording_id: 0,
      share_url: null,
      created_at: at.toISOString(),
      recording_start_time: at.toISOString(),
      default_summary: { template_name: "general", markdown_formatted: "A sample, about nobody." },
      calendar_invitees: [{ name: "Nobody", email: NOBODY, is_external: true }],
    }),
  },
};

export const isInboundProvider = (name: string): name is InboundProvider =>
  (inboundProviders as readonly string[]).includes(name);

/** The meeting that a delivery is about; null when it is about none. */
export function titleOf(news: News): string | null {
  if (news.kind === "recorded") return news.recording.title;
  return "booking" in news ? (news.booking.title?.trim().slice(0, 200) ?? null) : null;
}

/** Why a delivery was skipped, for people. */
export const skipMessages: Readonly<Record<Extract<News, { kind: "skip" }>["reason"], string>> = {
  unknown_event: "Events of this kind are not used.",
  no_booking_uid: "The event names no booking (uid).",
  no_start_time: "The event does not say when the meeting starts (startTime).",
  no_recording_id: "The event names no recording (id or recording_id).",
};

/** A delivery about more people than this is not recorded while its sender waits. */
const FEW = 20;

export const isLarge = (news: News): boolean =>
  news.kind === "recorded"
    ? news.recording.invitees.length > FEW
    : "booking" in news && news.booking.attendees.length > FEW;
