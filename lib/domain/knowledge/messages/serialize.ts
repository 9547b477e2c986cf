import { clip, oneLine } from "#lib/text/clip.ts";
import { formatTime } from "#lib/text/time.ts";
import type { SeenMessage } from "./queries/visible.ts";
import { type Content, readContent } from "./service/content.ts";
import { levelOf, reaches } from "./words.ts";

const MOST_SNIPPET = 200;

/** The content of a message as far as the viewer sees it; null: only who and when. */
function contentOf(row: SeenMessage): Partial<Content> | null {
  if (row.content === null || !reaches(levelOf(row), "subject")) return null;
  const content = readContent(row.id, row.content);
  if (!content) return null;
  return reaches(levelOf(row), "everything") ? content : { subject: content.subject, names: content.names };
}

export function viewOfMessage(row: SeenMessage) {
  const content = contentOf(row);
  const named = (address: string) => ({ address, name: content?.names?.[address] ?? null });
  return {
    id: row.id,
    thread_id: row.thread,
    type: row.type as "email_sent" | "email_received" | "email_bounced" | null,
    sent_at: formatTime(row.sentAt),
    from: named(row.sender),
    to: row.recipients.map(named),
    subject: content?.subject ?? null,
    text: content?.text ?? null,
    attachments: [...(content?.attachments ?? [])],
    automatic: row.type === null,
    visible: levelOf(row),
    shared: row.shared,
    mine: row.mine,
  };
}

/** The first words of a text, in one line. */
export const snippetOf = (text: string | null): string | null => {
  const line = oneLine(text ?? "");
  if (line === "") return null;
  return clip(line, MOST_SNIPPET);
};
