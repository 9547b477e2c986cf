import { normaliseEmail } from "#lib/domain/entities/service.ts";
import { MAX_CONTENT } from "#lib/domain/notes/contract.ts";
import { idOf, type Json, momentOf, recordOf, recordsOf, textOf } from "./fields.ts";

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
    summary: textOf(recordOf(payload.default_summary).markdown_formatted, MAX_CONTENT),
    // One order for all deliveries, so that two about the same people do not wait for each other.
    invitees: [...new Set(addresses)].sort(),
  };
}
