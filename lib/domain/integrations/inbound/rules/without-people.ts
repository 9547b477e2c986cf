import { type Json, recordOf, recordsOf, textOf } from "#lib/providers/fields.ts";
import { mentionPattern } from "#lib/text/mentions.ts";
import type { InboundProvider } from "../contract.ts";

/** Takes a person out of a text, where it names them. */
type Mask = (text: unknown) => unknown;

/** What of a delivery is read when it is recorded, without some people. */
type Reduction = {
  /** Where the people are. */
  peopleIn(body: Json): readonly Json[];
  kept(body: Json, people: readonly Json[], mask: Mask): Json;
};

const reductions: Readonly<Record<InboundProvider, Reduction>> = {
  cal_com: {
    peopleIn: (body) => recordsOf(recordOf(body.payload).attendees),
    kept(body, people, mask) {
      const payload = recordOf(body.payload);
      const addressed = ({ email }: Json) => ({ email: mask(email) });
      return {
        triggerEvent: body.triggerEvent,
        payload: {
          uid: payload.uid,
          startTime: payload.startTime,
          endTime: payload.endTime,
          title: mask(payload.title),
          eventTitle: mask(payload.eventTitle),
          location: mask(payload.location),
          metadata: { videoCallUrl: mask(recordOf(payload.metadata).videoCallUrl) },
          iCalUID: payload.iCalUID,
          attendees: people.map(({ email, name }) => ({ email, name })),
          organizer: addressed(recordOf(payload.organizer)),
          team: { members: recordsOf(recordOf(payload.team).members).map(addressed) },
          requestReschedule: payload.requestReschedule,
          rescheduleUid: payload.rescheduleUid,
        },
      };
    },
  },
  fathom: {
    peopleIn: (body) => recordsOf(body.calendar_invitees),
    kept: (body, people, mask) => ({
      id: body.id,
      recording_id: body.recording_id,
      title: mask(body.title),
      meeting_title: mask(body.meeting_title),
      recording_start_time: body.recording_start_time,
      scheduled_start_time: body.scheduled_start_time,
      created_at: body.created_at,
      share_url: body.share_url,
      default_summary: { markdown_formatted: mask(recordOf(body.default_summary).markdown_formatted) },
      calendar_invitees: people.map(({ email, name }) => ({ email, name })),
    }),
  },
};

/** Shorter names are words of their own. */
const SHORTEST_NAME = 3;

/**
 * The part of a delivery that is about others than the people with these identifiers, with what is read of it; null when
 * it is about no one else.
 */
export function withoutPeople(provider: InboundProvider, body: Json, identifiers: readonly string[]): Json | null {
  const { peopleIn, kept } = reductions[provider];
  const named = new Set(identifiers.map((identifier) => identifier.toLowerCase()));
  const isNamed = ({ email }: Json) => typeof email === "string" && named.has(email.trim().toLowerCase());
  const people = peopleIn(body);
  const others = people.filter((person) => !isNamed(person));
  if (others.length === 0) return null;
  const names = people.filter(isNamed).flatMap(({ name }) => textOf(name, 300)?.trim() ?? []);
  const patterns = [...identifiers, ...names.filter((name) => name.length >= SHORTEST_NAME)].map(
    (text) => new RegExp(mentionPattern(text), "gi"),
  );
  const mask: Mask = (text) =>
    typeof text === "string" ? patterns.reduce((left, pattern) => left.replace(pattern, "[erased]"), text) : text;
  return kept(body, others, mask);
}
