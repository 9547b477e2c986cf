import { normaliseEmail } from "#lib/text/mailbox.ts";
import { idOf, type Json, momentOf, recordOf, recordsOf, textOf } from "../fields.ts";
import type { Recording } from "../news.ts";

/** The longest text a note takes. */
const MOST_SUMMARY = 2_000_000;

/** Reads a recording provider's delivery; null when it names no recording. */
export function readRecording(payload: Json, receivedAt: Date): Recording | null {
  const id = idOf(payload.id) ?? idOf(payload.recording_id);
  if (id === null) return null;
  const addresses = recordsOf(payload.calendar_invitees).flatMap(({ email }) =>
    typeof email === "string" ? (normaliseEmail(email) ?? []) : [],
  );
  return {
    id,
    title: (textOf(payload.title, 200) ?? textOf(payload.meeting_title, 200) ?? "Untitled").trim(),
    startedAt:
      momentOf(payload.recording_start_time) ??
      momentOf(payload.scheduled_start_time) ??
      momentOf(payload.created_at) ??
      receivedAt,
    shareUrl: textOf(payload.share_url, 2000),
    summary: textOf(recordOf(payload.default_summary).markdown_formatted, MOST_SUMMARY),
    // One order for all deliveries, so that two about the same people do not wait for each other.
    invitees: [...new Set(addresses)].sort(),
  };
}
