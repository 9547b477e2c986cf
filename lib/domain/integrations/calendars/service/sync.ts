import { isDeepStrictEqual } from "node:util";
import type { Caller } from "#lib/core/context.ts";
import { log } from "#lib/core/log.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { tellMember } from "#lib/domain/integrations/connections/service.ts";
import { dropCollections, findObjectsToCome, followMeetings } from "#lib/domain/knowledge/meetings/service.ts";
import { holdMail } from "#lib/domain/knowledge/messages/service.ts";
import type { Maintenance } from "#lib/jobs/handler.ts";
import { insideOf } from "#lib/jobs/inside.ts";
import { isParsingFailed, parseApart } from "#lib/jobs/parsing.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import { resumable, type StepResult, type Turn } from "#lib/jobs/resumable.ts";
import { CalendarFault, type CalendarState, openCalendarClient } from "#lib/providers/caldav/client.ts";
import { readFeed } from "#lib/providers/caldav/feed.ts";
import {
  type CalendarRow,
  type CollectionRow,
  changeCalendar,
  findCalendarToRead,
  findCollections,
  findDue,
  findOutcomes,
  forgetOthers,
  noteTrouble,
} from "../queries.ts";
import { windowAt } from "../rules/window.ts";
import { type Arrived, type Batch, keepBatch, objectOf } from "./keep.ts";
import { adviceOf, type CalendarSource, calendarsOf, sourceOf } from "./login.ts";

/** Jobs of one workspace that read calendars run one after the other. */
export const syncing = jobKind("calendars:sync", {
  label: "Read a calendar",
  ids: ["calendar_id"],
  queue: "calendars",
  once: true,
});

const MINUTE_MS = 60_000;
/** How often calendars are looked at. */
const POLL_MS = { caldav: 5 * MINUTE_MS, ics: 15 * MINUTE_MS } as const;
/** A server that fails is left alone for this long. */
const RETRY_MS = 10 * MINUTE_MS;
/** Objects and meetings of one transaction: a repeated one has many. */
const MOST = 200;

const NO_KEY = "The password cannot be opened with the key of this server any more. Connect the calendar again.";

/** The calendar changed meanwhile. */
class Ended extends Error {}

/** The process stops. */
class Stopped extends Error {}

export const runSync = resumable(syncing, {
  begin:
    ({ caller, signal }, { calendar_id: id }) =>
    async (turn) => {
      const calendar = await inside(caller, (db) => findCalendarToRead(db, id));
      if (calendar?.state !== "connected" || !calendar.isVerified) return "done";
      const source = sourceOf(calendar);
      if (!source) {
        await inside(caller, (db) => noteTrouble(db, calendar, { message: NO_KEY, isVerified: false }));
        return "done";
      }
      try {
        await new Reading(caller, calendar, turn, signal).read(source);
        return { waitMs: POLL_MS[calendar.kind] };
      } catch (error) {
        if (error instanceof Stopped || signal.aborted) return "more";
        if (error instanceof Ended) return { waitMs: 0 }; // the next run reads how it is now
        if (!(error instanceof CalendarFault)) throw error;
        return await troubled(caller, calendar, error);
      }
    },
});

const inside = <T>({ workspaceId }: Caller, work: (db: Db) => Promise<T>): Promise<T> =>
  withWorkspace(workspaceId, work, { operation: syncing.name });

/** Notes what is wrong, for its member. Refused credentials are not tried again until there are new ones. */
async function troubled(caller: Caller, calendar: CalendarRow, fault: CalendarFault): Promise<StepResult> {
  const refused = fault.reason === "refused_login";
  await inside(caller, (db) =>
    noteTrouble(db, calendar, {
      message: adviceOf(calendar.kind, fault),
      ...(refused ? { isVerified: false } : {}),
    }),
  );
  tellMember(caller, calendar.userId);
  return refused ? "done" : { waitMs: fault.retryAfterMs ?? RETRY_MS };
}

/** A calendar to read. `before`: how far it was read; `whole`: it is read anew. */
type CalendarToRead = { url: string; name: string; before: CollectionRow | null; whole: boolean };

/** One look at all calendars that a member connected together. */
class Reading {
  private readonly caller: Caller;
  private readonly calendar: CalendarRow;
  private readonly turn: Turn;
  private readonly signal: AbortSignal;
  private readonly window = windowAt(new Date());

  constructor(caller: Caller, calendar: CalendarRow, turn: Turn, signal: AbortSignal) {
    this.caller = caller;
    this.calendar = calendar;
    this.turn = turn;
    this.signal = signal;
  }

  async read(source: CalendarSource): Promise<void> {
    for (const found of await this.find(source))
      await (source.kind === "ics" ? this.readFeed(source.address, found) : this.readCollection(source, found));
    while (await insideOf(this.caller, syncing.name)(followMeetings)) if (this.signal.aborted) throw new Stopped();
    await inside(this.caller, (db) => changeCalendar(db, this.calendar.id, { syncedAt: new Date(), message: null }));
  }

  /** Once a day, and at first, it is asked which calendars there are, and each is read whole: so nothing is missed for long. */
  private async find(source: CalendarSource): Promise<CalendarToRead[]> {
    const { id, chosen } = this.calendar;
    const known = await inside(this.caller, (db) => findCollections(db, id));
    const isRead = ({ readTo }: CollectionRow) => readTo >= this.window.to;
    if (known.length > 0 && known.every(isRead))
      return known.map((before) => ({ url: before.url, name: before.name, before, whole: false }));
    const there = await calendarsOf(source, this.signal);
    const wanted = there.filter(({ url }) => chosen.length === 0 || chosen.includes(url));
    await this.drop(wanted.map(({ url }) => url));
    return wanted.map((one) => {
      const before = known.find(({ url }) => url === one.url) ?? null;
      return { ...one, before, whole: before === null || !isRead(before) };
    });
  }

  /** What came from calendars that are not read any more goes. */
  private drop(urls: readonly string[]): Promise<void> {
    const { id } = this.calendar;
    return insideOf(
      this.caller,
      syncing.name,
    )(async (ctx) => {
      await holdMail(ctx);
      await forgetOthers(ctx.db, id, urls);
      await dropCollections(ctx, id, urls);
    });
  }

  private async readCollection(source: CalendarSource & { kind: "caldav" }, found: CalendarToRead): Promise<void> {
    const client = openCalendarClient(source.server, source, { signal: this.signal });
    const { url, before } = found;
    const since = found.whole ? null : (before?.position as CalendarState | undefined);
    const changes = since ? await client.changes(url, since) : null;
    if (changes) {
      const { changed, removed, state } = changes;
      const gone = removed.map((href) => ({ object: objectOf(url, href), meetings: [] }));
      const arrived = await this.parse(url, changed);
      if (arrived.length + gone.length > 0 || !isDeepStrictEqual(state, since))
        await this.keep(found, [...arrived, ...gone], state);
      return;
    }
    const { objects, state } = await client.read(url, this.window);
    const arrived = await this.parse(url, objects);
    const there = new Set(objects.map(({ href }) => objectOf(url, href)));
    await this.keep({ ...found, whole: true }, [...arrived, ...(await this.missing(url, there))], state);
  }

  private async readFeed(address: string, found: CalendarToRead): Promise<void> {
    const { url, before, whole } = found;
    const etag = whole ? null : ((before?.position as { etag: string | null } | undefined)?.etag ?? null);
    const feed = await readFeed(address, etag, { signal: this.signal });
    if (!feed) return;
    const read = await parseApart("meetings", { ics: feed.ics, window: this.window }).catch((error: unknown) => {
      throw isParsingFailed(error) ? new CalendarFault("too_large") : error;
    });
    if (!read) throw new CalendarFault("not_calendar");
    const { meetings, unreadable } = read;
    const arrived = [...Map.groupBy(meetings, ({ uid }) => uid)].map(([uid, theirs]) => ({
      object: objectOf(url, uid),
      meetings: theirs,
    }));
    // What could not be read may be there still.
    const rest =
      unreadable > 0
        ? [{ object: objectOf(url, ""), meetings: [], unreadable }]
        : await this.missing(url, new Set(arrived.map(({ object }) => object)));
    await this.keep({ ...found, whole: true }, [...arrived, ...rest], { etag: feed.etag });
  }

  /** The meetings of objects. */
  private async parse(url: string, objects: readonly { href: string; ics: string }[]): Promise<Arrived[]> {
    const read = objects.map(({ ics }) => parseApart("meetings", { ics, window: this.window }).catch(unlessFailed));
    const arrived = (await together(read)).map((parsed, index) => ({
      object: objectOf(url, objects[index]?.href ?? ""),
      ...(parsed ?? { meetings: [], unreadable: 1 }),
    }));
    const unreadable = arrived.reduce((sum, one) => sum + one.unreadable, 0);
    if (unreadable > 0) log.warn({ calendar_id: this.calendar.id, unreadable }, "events of a calendar cannot be read");
    return arrived;
  }

  /** What was there before and has something to come. */
  private async missing(url: string, there: ReadonlySet<string>): Promise<Arrived[]> {
    const objects = await inside(this.caller, (db) => findObjectsToCome(db, this.calendar.id, url));
    return objects.filter((object) => !there.has(object)).map((object) => ({ object, meetings: [] }));
  }

  /** Keeps what was read, some at a time, and moves the position with the last. Throws `Ended` and `Stopped`. */
  private async keep(
    { url, name, before, whole }: CalendarToRead,
    arrived: readonly Arrived[],
    position: CollectionRow["position"],
  ): Promise<void> {
    let counts = whole ? {} : await inside(this.caller, (db) => findOutcomes(db, this.calendar.id, url));
    const parts = partsOf(arrived);
    for (const [place, part] of parts.entries()) {
      if (this.signal.aborted) throw new Stopped();
      const batch: Batch = {
        ...{ calendar: this.calendar, collection: url, from: before?.position ?? null, whole, counts },
        to: place === parts.length - 1 ? { name, position, readTo: this.window.to } : null,
        arrived: part,
      };
      const kept = await insideOf(this.caller, syncing.name)((ctx) => keepBatch(ctx, batch));
      if (kept === "ended") throw new Ended();
      counts = kept;
      this.turn.tell(() => tellMember(this.caller, this.calendar.userId));
    }
  }
}

/** What is kept in one transaction each; at least one part, which may be empty. */
function partsOf(arrived: readonly Arrived[]): Arrived[][] {
  const parts: Arrived[][] = [[]];
  let size = 0;
  for (const object of arrived) {
    const more = 1 + object.meetings.length;
    if (size > 0 && size + more > MOST) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(object);
    size += more;
  }
  return parts;
}

/** One event must not stop a calendar. */
function unlessFailed(error: unknown): null {
  if (!isParsingFailed(error)) throw error;
  log.error({ err: error }, "an event could not be read");
  return null;
}

/** Queues a look at calendars that have none waiting, because a process was killed or gave up. */
export const revive: Maintenance = {
  name: "calendars",
  async step(workspaceId) {
    await withWorkspace(workspaceId, async (db) => {
      for (const id of await findDue(db, new Date(Date.now() - 4 * POLL_MS.ics)))
        await enqueue(db, syncing, { calendar_id: id });
    });
    return false;
  },
};
