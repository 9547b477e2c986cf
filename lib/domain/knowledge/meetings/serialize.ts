import { levelOf, reaches } from "#lib/domain/knowledge/messages/words.ts";
import { formatTime } from "#lib/text/time.ts";
import type { SeenMeeting } from "./queries/visible.ts";
import { type Content, readContent } from "./service/content.ts";

/** The content of a meeting as far as the viewer sees it; null: only who and when. */
function contentOf(row: SeenMeeting): Partial<Content> | null {
  if (!reaches(levelOf(row), "subject")) return null;
  const content = readContent(row.copyId, row.content);
  if (!content) return null;
  return reaches(levelOf(row), "everything") ? content : { title: content.title, names: content.names };
}

/** What the viewer may know that it is about. */
export const titleOf = (row: SeenMeeting): string | null => contentOf(row)?.title ?? null;

export function viewOfMeeting(row: SeenMeeting) {
  const content = contentOf(row);
  const named = (address: string) => ({ address, name: content?.names?.[address] ?? null });
  return {
    id: row.id,
    starts_at: formatTime(row.startsAt),
    ends_at: formatTime(row.endsAt),
    all_day: row.allDay,
    repeats: row.repeats,
    cancelled: row.cancelled,
    organizer: row.organizer === null ? null : named(row.organizer),
    guests: row.guests.map(({ address, answer }) => ({ ...named(address), answer })),
    title: content?.title ?? null,
    description: content?.description ?? null,
    location: content?.location ?? null,
    visible: levelOf(row),
    shared: row.shared,
    mine: row.mine,
  };
}
