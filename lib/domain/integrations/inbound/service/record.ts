import {
  captureSignals,
  type Signal,
  type SignalResult,
  supersedeActivity,
} from "#lib/domain/crm/activities/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { bookedSignals, cancelledSignals, supersededSlot } from "#lib/domain/integrations/bookings/service.ts";
import { ownAddresses } from "#lib/domain/integrations/connections/service.ts";
import { saveNoteOnce } from "#lib/domain/knowledge/notes/service.ts";
import { type Booking, type News, type Recording, skipMessages } from "#lib/providers/news.ts";
import type { DeliveryState } from "../queries.ts";

/** What a delivery has recorded: its signals, and what follows once it is known on whose timelines they are. */
type Plan = {
  signals: readonly Signal[];
  finish(captured: readonly (SignalResult | null)[]): DeliveryState | Promise<DeliveryState>;
};

/**
 * Records what deliveries say, in their order, in the caller's transaction: all their signals with as few statements as
 * one. Doing it again adds nothing that is there already.
 */
export async function recordNews(ctx: Ctx, news: readonly News[]): Promise<DeliveryState[]> {
  const plans = await plansOf(ctx, news);
  const captured = await captureSignals(
    ctx,
    plans.flatMap(({ signals }) => signals),
  );
  const states: DeliveryState[] = [];
  let taken = 0;
  for (const { signals, finish } of plans) {
    states.push(await finish(captured.slice(taken, taken + signals.length)));
    taken += signals.length;
  }
  return states;
}

/** People recorded in one transaction: each takes locks, and the database has a limited number for everybody. */
const PORTION = 500;

/**
 * Records the signals of a delivery about more people than one transaction takes, a portion in each. `recordNews` then
 * finds them there and does the rest.
 */
export async function recordPortions(inside: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>, news: News) {
  const signals = await inside(async (ctx) => (await plansOf(ctx, [news])).flatMap((plan) => plan.signals));
  if (signals.length <= PORTION) return;
  for (let begin = 0; begin < signals.length; begin += PORTION)
    await inside((ctx) => captureSignals(ctx, signals.slice(begin, begin + PORTION)));
}

/** A delivery is recorded with the authority of its provider, whose name is the source. */
const sourceOf = ({ actor }: Ctx): string => actor.id;

async function plansOf(ctx: Ctx, news: readonly News[]): Promise<Plan[]> {
  const own = news.some((one) => "booking" in one) ? await ownAddresses(ctx, sourceOf(ctx)) : new Set<string>();
  return news.map((one) => planOf(ctx, one, own));
}

function planOf(ctx: Ctx, news: News, own: ReadonlySet<string>): Plan {
  switch (news.kind) {
    case "skip":
      return nothing(skipped(news.reason, skipMessages[news.reason]));
    case "ping":
      return nothing({ status: "processed", answer: { ok: true }, message: null, contactIds: [] });
    case "recorded":
      return meetingPlan(ctx, news.recording);
    default:
      return bookingPlan(ctx, news.kind, news.booking, own);
  }
}

const nothing = (state: DeliveryState): Plan => ({ signals: [], finish: () => state });

const skipped = (reason: string, message: string): DeliveryState => ({
  status: "skipped",
  answer: { ok: true, skipped: reason },
  message,
  contactIds: [],
});

const recorded = (contactIds: readonly string[], message: string | null): DeliveryState => ({
  status: "processed",
  answer: { ok: true, logged: contactIds.length },
  message,
  contactIds,
});

/** Logged on these people; a message says when none of those that it is about is a contact. */
const logged = (contactIds: readonly string[], nobody: string): DeliveryState =>
  contactIds.length > 0 ? recorded(contactIds, null) : { ...recorded([], nobody), withoutContact: true };

function meetingPlan(ctx: Ctx, { id, title, startedAt, shareUrl, summary, invitees }: Recording): Plan {
  const source = sourceOf(ctx);
  const externalId = `${source}_${id}`;
  return {
    signals: invitees.map((email) => ({
      email,
      type: "meeting_held",
      source,
      description: `Meeting: ${title}`,
      externalId,
      occurredAt: startedAt,
      metadata: { recording_id: id, title, ...(shareUrl ? { share_url: shareUrl } : {}) },
      createContact: false,
    })),
    async finish(captured) {
      const contactIds = contactsOf(captured);
      for (const contactId of summary === null ? [] : contactIds) {
        await saveNoteOnce(
          ctx,
          { id: contactId },
          {
            content: summary as string,
            type: "meeting_notes",
            title,
            date: { time: startedAt, dateOnly: false },
            source,
            externalId: `${externalId}_summary`,
          },
        );
      }
      return logged(contactIds, "None of the invitees is a contact.");
    },
  };
}

function bookingPlan(
  ctx: Ctx,
  kind: "booked" | "moved" | "cancelled",
  booking: Booking,
  own: ReadonlySet<string>,
): Plan {
  const signals = kind === "cancelled" ? cancelledSignals(booking, own) : bookedSignals(booking, own);
  // One order for all deliveries, so that two about the same people do not wait for each other.
  signals.sort((a, b) => (a.email < b.email ? -1 : 1));
  const left = kind === "moved" ? supersededSlot(booking) : null;
  return {
    signals: signals.map((signal) => ({ ...signal, createContact: kind === "booked" })),
    async finish(captured) {
      if (left) await supersedeActivity(ctx, left);
      if (signals.length === 0) return recorded([], "Only your own side attends.");
      return logged(contactsOf(captured), "None of the attendees is a contact.");
    },
  };
}

/** Whose timelines; somebody with two addresses counts once. */
const contactsOf = (captured: readonly (SignalResult | null)[]): string[] => [
  ...new Set(captured.flatMap((one) => (one ? [one.contactId] : []))),
];
