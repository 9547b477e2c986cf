import { jobAuthority } from "#lib/auth/jobs.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type CalendarRow, findCollections, insertCalendar } from "#lib/domain/integrations/calendars/queries.ts";
import { keepBatch, objectOf } from "#lib/domain/integrations/calendars/service/keep.ts";
import { keyOfSource, sealSource } from "#lib/domain/integrations/calendars/service/login.ts";
import { insideOf } from "#lib/jobs/inside.ts";
import { meetingsIn } from "#lib/text/calendar/meetings.ts";
import { inDays } from "./ics.fixture.ts";

export { calendarOf, eventOf, guestOf, inDays } from "./ics.fixture.ts";

type Member = { userId: string; email: string; workspaceId: WorkspaceId };

const URL_OF = "https://caldav.example.com/work/";

/** A member's calendar without a server, unless there is one that takes `password`: events are put into it as a sync would. */
export async function addCalendar(member: Member, settings: Partial<CalendarRow> = {}, password = "secret") {
  const { workspaceId, userId, email } = member;
  const id = newId();
  const { server = `https://${id}.example.com`, login = email } = settings;
  const source = { kind: "caldav", server, user: login, password } as const;
  const row = {
    ...{ id, userId, kind: "caldav", server, login },
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
