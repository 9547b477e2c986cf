import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { isUniqueViolation, withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { tellChanged } from "#lib/domain/integrations/connections/service.ts";
import { changeMeetingLevels, countMeetings } from "#lib/domain/knowledge/meetings/service.ts";
import { forMember, holdMail, memberOf, readCeiling } from "#lib/domain/knowledge/messages/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import * as contract from "../contract.ts";
import {
  type CalendarRow,
  changeCalendar,
  findCalendar,
  findCalendarsOf,
  findCollections,
  forgetOthers,
  insertCalendar,
  lockCalendar,
} from "../queries.ts";
import { viewOfCalendar } from "../serialize.ts";
import { askAgain, askCalendars, keyOfSource, type OpenCalendars, sealSource, serverOf } from "./login.ts";
import { syncing } from "./sync.ts";

export const testCalendar = implement(
  contract.testCalendar,
  async (_ctx, _input, { calendars }: OpenCalendars) => ({ calendars }),
  { before: (caller, input) => forMember(caller, () => askCalendars(input)) },
);

export const connectCalendar = implement(
  contract.connectCalendar,
  async (ctx, input, { source }: OpenCalendars) => {
    const userId = memberOf(ctx);
    const { share, add_contacts: addsContacts, calendars: chosen, blocked } = input;
    const id = newId();
    const server = serverOf(source);
    await insertCalendar(ctx.db, {
      ...{ id, userId, kind: source.kind, server, login: source.kind === "caldav" ? source.user : "" },
      ...{ credentials: sealSource(id, source), key: keyOfSource(source) },
      ...{ share, addsContacts, chosen, blocked },
    }).catch((error: unknown) => {
      throw isUniqueViolation(error) ? new Fault("calendar_connected") : error;
    });
    await enqueue(ctx.db, syncing, { calendar_id: id });
    await recordAudit(ctx, "calendar.connected", id, { server, share });
    return { calendar: await viewOf(ctx, id) };
  },
  {
    before: (caller, input) =>
      forMember(caller, async () => {
        const opened = await askCalendars(input);
        requireThere(input.calendars, opened);
        return opened;
      }),
  },
);

/** Throws 400 `invalid_parameter`: one that is chosen is not there. */
function requireThere(chosen: readonly string[], { calendars }: OpenCalendars): void {
  const missing = chosen.find((one) => !calendars.some(({ url }) => url === one));
  if (missing === undefined) return;
  throw new Fault("invalid_parameter", { parameter: "calendars" }, `There is no calendar “${missing}” at the server.`);
}

export const listServerCalendars = implement(
  contract.listServerCalendars,
  async (_ctx, _input, { calendars }: OpenCalendars) => ({ calendars }),
  {
    async before(caller, { id }) {
      const row = await rowOf(caller, id);
      if (row.state !== "connected") throw new Fault("calendar_not_found");
      return askAgain(row);
    },
  },
);

/** A calendar of the caller, before any transaction. Throws 404 `calendar_not_found`. */
async function rowOf(caller: Caller, id: string): Promise<CalendarRow> {
  const userId = memberOf(caller);
  const row = await withWorkspace(caller.workspaceId, (db) => findCalendar(db, id), { readOnly: true });
  if (row?.userId !== userId) throw new Fault("calendar_not_found");
  return row;
}

export const listCalendars = implement(contract.listCalendars, async (ctx) => {
  const rows = await findCalendarsOf(ctx.db, memberOf(ctx));
  const [ceiling, views] = await together([readCeiling(ctx), together(rows.map((row) => shown(ctx, row)))]);
  return { calendars: views, ceiling };
});

export const updateCalendar = implement(
  contract.updateCalendar,
  async (ctx, input, source: OpenCalendars["source"] | null) => {
    const { id, share, add_contacts: addsContacts, calendars: chosen, blocked } = input;
    const before = await own(ctx, id);
    await changeCalendar(ctx.db, id, {
      ...(share === undefined ? {} : { share }),
      ...(addsContacts === undefined ? {} : { addsContacts }),
      ...(chosen === undefined ? {} : { chosen }),
      ...(blocked === undefined ? {} : { blocked }),
      ...(source
        ? {
            ...{ credentials: sealSource(id, source), key: keyOfSource(source) },
            ...{ isVerified: true, message: null, state: "connected" },
          }
        : {}),
    });
    if (share !== undefined && share !== before.share) {
      await changeMeetingLevels(ctx, { of: "calendar", calendarId: id }, share);
      await recordAudit(ctx, "calendar.shared", id, { server: before.server, share, before: before.share });
    }
    // All of it is read again: who is added and what is blocked counts for what is there, too.
    await forgetOthers(ctx.db, id, []);
    await enqueue(ctx.db, syncing, { calendar_id: id });
    tellChanged(ctx);
    return { calendar: await viewOf(ctx, id) };
  },
  {
    async before(caller, { id, password, address, calendars: chosen = [] }) {
      const isNew = password !== undefined || address !== undefined;
      if (!isNew && chosen.length === 0) return null;
      const row = await rowOf(caller, id);
      const login = row.kind === "caldav" ? { server: row.server, user: row.login } : {};
      const opened = isNew ? await askCalendars({ ...login, password, address }) : await askAgain(row);
      requireThere(chosen, opened);
      return isNew ? opened.source : null;
    },
  },
);

export const syncCalendar = implement(contract.syncCalendar, async (ctx, { id }) => {
  await own(ctx, id);
  await enqueue(ctx.db, syncing, { calendar_id: id });
  return { calendar: await viewOf(ctx, id) };
});

export const disconnectCalendar = implement(contract.disconnectCalendar, async (ctx, { id, meetings }) => {
  const { server } = await own(ctx, id);
  const state = meetings === "remove" ? "leaving" : "disconnected";
  await changeCalendar(ctx.db, id, { state, credentials: "", message: null });
  if (meetings === "remove") await changeMeetingLevels(ctx, { of: "calendar", calendarId: id }, "nothing");
  await recordAudit(ctx, "calendar.disconnected", id, { server, meetings });
  tellChanged(ctx);
  return { calendar: await viewOf(ctx, id) };
});

/** A calendar of the caller that is not being removed, locked. Throws 404 `calendar_not_found`. */
async function own(ctx: Ctx, id: string): Promise<CalendarRow> {
  const userId = memberOf(ctx);
  await holdMail(ctx); // before the row, as everything that stores meetings does
  const calendar = await lockCalendar(ctx.db, id);
  if (calendar?.userId !== userId || calendar.state === "leaving") throw new Fault("calendar_not_found");
  return calendar;
}

async function viewOf(ctx: Ctx, id: string): Promise<contract.Calendar> {
  const row = await findCalendar(ctx.db, id);
  if (!row) throw new Fault("calendar_not_found");
  return shown(ctx, row);
}

async function shown({ db }: Ctx, row: CalendarRow): Promise<contract.Calendar> {
  const [collections, meetings] = await together([findCollections(db, row.id), countMeetings(db, row.id)]);
  return viewOfCalendar(row, collections, meetings);
}
