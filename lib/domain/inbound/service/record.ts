import { type Captured, captureSignals, supersedeActivity } from "#lib/domain/activities/service.ts";
import { type Booking, bookedSignals, cancelledSignals, supersededSlot } from "#lib/domain/bookings/service.ts";
import { ownAddresses } from "#lib/domain/connections/service.ts";
import { resolveExisting } from "#lib/domain/entities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { saveNoteOnce } from "#lib/domain/notes/service.ts";
import type { Standing } from "../queries.ts";
import { type News, skipMessages } from "../rules/providers.ts";
import type { Recording } from "../rules/recordings.ts";

const RECORDER = "fathom";
const BOOKER = "cal_com";

/** Records what a delivery says, in the caller's transaction. Doing it again adds nothing that is there already. */
export async function recordNews(ctx: Ctx, news: News): Promise<Standing> {
  switch (news.kind) {
    case "skip":
      return skipped(news.reason, skipMessages[news.reason]);
    case "ping":
      return { status: "processed", answer: { ok: true }, message: null, contactIds: [] };
    case "recorded":
      return recordMeeting(ctx, news.recording);
    default:
      return recordBooking(ctx, news.kind, news.booking);
  }
}

const skipped = (reason: string, message: string): Standing => ({
  status: "skipped",
  answer: { ok: true, skipped: reason },
  message,
  contactIds: [],
});

/** Logged on these people; a message says when there was nobody to log it on. */
const logged = (contactIds: readonly string[], nobody: string): Standing => ({
  status: "processed",
  answer: { ok: true, logged: contactIds.length },
  message: contactIds.length === 0 ? nobody : null,
  contactIds,
});

async function recordMeeting(ctx: Ctx, recording: Recording): Promise<Standing> {
  const { id, title, startedAt, shareUrl, summary, invitees } = recording;
  const externalId = `${RECORDER}_${id}`;
  const captured = await captureSignals(
    ctx,
    invitees.map((email) => ({
      email,
      type: "meeting_held",
      source: RECORDER,
      description: `Meeting: ${title}`,
      externalId,
      occurredAt: startedAt,
      metadata: { recording_id: id, title, ...(shareUrl ? { share_url: shareUrl } : {}) },
      createContact: false,
    })),
  );
  const contactIds = contactsOf(captured);
  for (const contactId of summary === null ? [] : contactIds) {
    await saveNoteOnce(ctx, await resolveExisting(ctx, contactId), {
      content: summary as string,
      type: "meeting_notes",
      title,
      date: { time: startedAt, dateOnly: false },
      source: RECORDER,
      externalId: `${externalId}_summary`,
    });
  }
  return logged(contactIds, "None of the invitees is a contact.");
}

async function recordBooking(ctx: Ctx, kind: "booked" | "moved" | "cancelled", booking: Booking): Promise<Standing> {
  const own = await ownAddresses(ctx, BOOKER);
  const signals = kind === "cancelled" ? cancelledSignals(booking, own) : bookedSignals(booking, own);
  // One order for all deliveries, so that two about the same people do not wait for each other.
  signals.sort((a, b) => (a.email < b.email ? -1 : 1));
  const captured = await captureSignals(
    ctx,
    signals.map((signal) => ({ ...signal, createContact: kind === "booked" })),
  );
  const left = kind === "moved" ? supersededSlot(booking) : null;
  if (left) await supersedeActivity(ctx, left);
  const nobody = signals.length === 0 ? "Nobody attends but your own side." : "None of the attendees is a contact.";
  return logged(contactsOf(captured), nobody);
}

/** Whose timelines; somebody with two addresses counts once. */
const contactsOf = (captured: readonly (Captured | null)[]): string[] => [
  ...new Set(captured.flatMap((one) => (one ? [one.contactId] : []))),
];
