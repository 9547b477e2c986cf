import { jobAuthority } from "#lib/auth/jobs.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type CalendarRow, findCollections, insertCalendar } from "#lib/domain/integrations/calendars/queries.ts";
import { keepBatch, objectOf } from "#lib/domain/integrations/calendars/service/keep.ts";
import { keyOfSource, sealSource } from "#lib/domain/integrations/calendars/service/login.ts";
import { insideOf } from "#lib/jobs/inside.ts";
import { meetingsIn } from "#lib/text/calendar/meetings.ts";

const DAY_MS = 86_400_000;
const stamp = (date: Date): string => date.toISOString().replace(/[-:]|\.\d+/g, "");

/** Ten o'clock UTC, some days from now. */
export const inDays = (days: number, hour = 10): Date =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS + hour * 3_600_000);

/** An hour's meeting as iCalendar: its properties by line. */
export const eventOf = (uid: string, start: Date, ...lines: string[]): string =>
  [
    ...["BEGIN:VEVENT", `UID:${uid}`, `DTSTART:${stamp(start)}`, `DTEND:${stamp(new Date(+start + 3_600_000))}`],
    ...[...lines, "END:VEVENT"],
  ].join("\r\n");

export const guestOf = (address: string, answer = "ACCEPTED", name?: string): string =>
  `ATTENDEE;${name ? `CN=${name};` : ""}PARTSTAT=${answer}:mailto:${address}`;

export const calendarOf = (...events: string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", ...events, "END:VCALENDAR", ""].join("\r\n");

/** Another time of a repeated meeting takes the place of one that was planned. */
export const exceptionOf = (planned: Date): string => `RECURRENCE-ID:${stamp(planned)}`;

type Member = { userId: string; email: string; workspaceId: WorkspaceId };

const URL_OF = "https://caldav.example.com/work/";

/** A member's calendar without a server: events are put into it as a sync would. */
export async function addCalendar(member: Member, settings: Partial<CalendarRow> = {}) {
  const { workspaceId, userId, email } = member;
  const id = newId();
  const source = { kind: "caldav", server: `https://${id}.example.com`, user: email, password: "secret" } as const;
  const row = {
    ...{ id, userId, kind: "caldav", server: source.server, login: email },
    ...{ credentials: sealSource(id, source), key: keyOfSource(source) },
    ...{ share: "metadata", addsContacts: true, chosen: [], blocked: [] },
    ...settings,
  } as const;
  await withWorkspace(workspaceId, (db) => insertCalendar(db, row as Parameters<typeof insertCalendar>[1]));
  let version = 0;
  return {
    id,
    /** Puts an object into it, or takes it out (null); says whether it was kept. */
    async put(name: string, ics: string | null): Promise<boolean> {
      const caller = (await jobAuthority(workspaceId, newId())) as Caller;
      const window = { from: inDays(-90, 0), to: inDays(60, 0) };
      const meetings = ics === null ? [] : meetingsIn(ics, window).meetings;
      const kept = await insideOf(caller)(async (ctx) => {
        const [collection] = await findCollections(ctx.db, id);
        return keepBatch(ctx, {
          ...{ calendar: row as unknown as CalendarRow, collection: URL_OF, whole: false, counts: {} },
          from: collection?.position ?? null,
          to: { name: "Work", position: { version: ++version }, readTo: window.to },
          arrived: [{ object: objectOf(URL_OF, name), meetings }],
        });
      });
      return kept !== null;
    },
  };
}
