import type { Ctx } from "#lib/domain/implement.ts";
import { noteRead } from "#lib/domain/records/audit/service.ts";
import { mostOpen, reaches, type ShareLevel } from "../words.ts";

/**
 * Notes in the audit log that the caller opened mail or a meeting that somebody else shares: at least what it is about. `parts`: the
 * messages of a conversation, or the meeting.
 */
export function noteOpened(
  ctx: Ctx,
  action: "mail.read" | "meeting.read",
  id: string,
  parts: readonly { mine: boolean; shared: ShareLevel }[],
): void {
  const shared = mostOpen(parts.flatMap((part) => (part.mine ? [] : [part.shared])));
  if (reaches(shared, "subject")) noteRead(ctx, action, id, { shared });
}
