import { watchAccess } from "#lib/auth/access-watch.ts";
import { type Caller, nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import { JsonText } from "#lib/core/json.ts";
import { together } from "#lib/core/together.ts";
import { abilities } from "#lib/db/distributed/abilities.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import type { From, StreamEvent } from "#lib/domain/operation.ts";
import { evidenceIds, type ResolvedEntity, resolveExisting } from "#lib/domain/records/entities/service.ts";
import { findEmployers, findLabels, nameOf } from "#lib/domain/records/names/service.ts";
import { type News, newsOf } from "#lib/live/news.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import {
  advanceReader,
  type ChangeRow,
  findChanges,
  findChangesOfEntities,
  findChangesOfTypes,
  findPlaceBefore,
  findReader,
  findSettled,
  findUnsettled,
  hasBehind,
  type Reader,
} from "./queries.ts";
import { type RowPlace, rowCursorsOf } from "./rules/cursors.ts";
import { type Naming, wordsByRecord } from "./rules/words.ts";
import { atOf, printerOfChanges } from "./serialize.ts";
import { noteEnd, wasEnd } from "./service/ends.ts";

type ChangesRequest = {
  cursor?: string | undefined;
  types?: readonly contract.ChangeType[] | undefined;
  focus?: string | undefined;
  limit: number;
  since?: Date | undefined;
  since_last?: boolean | undefined;
};

/** What a page is of; `record`: the one it is about. */
type Sought = Pick<ChangesRequest, "types" | "limit" | "since"> & { record: ResolvedEntity | null };

/** Where an answer begins. `known`: where the answer before it ended, as far as we keep that. */
type Start = { from: RowPlace; known: RowPlace | null };

/** Each change as JSON. */
type Page = { changes: string[]; next: RowPlace; has_more: boolean };

const operation = contract.listChanges.name;
const cursors = rowCursorsOf(operation);

/** Before everything: what is older than the feed has 0 in the place of a transaction. */
const BEGINNING: RowPlace = [-1, 0];
/** Larger than every seq. */
const LAST_SEQ = 2 ** 46;

export const listChanges = implement(
  contract.listChanges,
  async (ctx, input, { from }) => {
    requireOrder();
    const page = await pageFrom(ctx, input, from);
    const text = answerOf(ctx, page);
    // Parsed only where `after` has something to do with it.
    return input.since_last || (input.wait && page.changes.length === 0) ? text.parse() : text;
  },
  {
    transaction: "primary",
    before: startOf,
    async after(caller, output, input, { from, known }) {
      const waited = input.wait && output.changes.length === 0 ? await waitFor(caller, input, output) : output;
      if (input.since_last) {
        const reached = cursors.decode(caller, waited.next_cursor);
        await withWorkspace(caller.workspaceId, (db) => advanceReader(db, readerOf(caller), from, reached, known), {
          operation,
        });
      }
      return waited;
    },
    also: { events: follow },
  },
);

function answerOf(ctx: Pick<Caller, "workspaceId">, { changes, next, has_more }: Page): JsonText<contract.ChangesPage> {
  const [cursor] = cursors.encode(ctx, [next]);
  return new JsonText(`{"changes":[${changes.join(",")}],"next_cursor":"${cursor}","has_more":${has_more}}`);
}

const SUMMARISED_AT_ONCE = 1_000;

export const summariseChanges = implement(
  contract.summariseChanges,
  async (ctx, { limit, ...asked }, { from }: Start) => {
    requireOrder();
    const changes: contract.Change[] = [];
    let page: Page = { changes: [], next: from, has_more: true };
    while (page.has_more && changes.length < contract.MOST_SUMMARISED) {
      page = await pageFrom(ctx, { ...asked, limit: SUMMARISED_AT_ONCE }, page.next);
      changes.push(...page.changes.map((text) => JSON.parse(text) as contract.Change));
    }
    const records = wordsByRecord(changes, await namesIn(ctx, changes));
    const [cursor] = cursors.encode(ctx, [page.next]) as [string];
    return {
      records: records.slice(0, limit),
      changed: records.length,
      has_more: page.has_more,
      next_cursor: cursor,
    };
  },
  { transaction: "primary", before: (caller, input) => startOf(caller, input) },
);

/** Names of the records, and of those that values name by their ids. */
async function namesIn(ctx: Ctx, changes: readonly contract.Change[]): Promise<ReadonlyMap<string, Naming>> {
  const ids = changes.flatMap(({ entity_id, property, value, previous }) => [
    entity_id,
    ...(property === "works_at" ? [value, previous] : []),
    ...(typeof value === "object" && value !== null && "other_id" in value ? [value.other_id] : []),
  ]);
  const wanted = ids.filter((id) => typeof id === "string" && isUuid(id)) as string[];
  const [labels, employers] = await together([findLabels(ctx.db, wanted), findEmployers(ctx.db, wanted)]);
  return new Map([...labels].map(([id, label]) => [id, { name: nameOf(label), company: employers.get(id) ?? null }]));
}

/** Reads on the primary: a replica that is behind does not know which transactions are under way. */
const read = <T>({ workspaceId }: Caller, work: (db: Db) => Promise<T>): Promise<T> =>
  withWorkspace(
    workspaceId,
    (db) => {
      requireOrder();
      return work(db);
    },
    { readOnly: true, operation },
  );

/** Changes are followed by the numbers of transactions. Called with a connection: only then it is known what the database can do. */
function requireOrder(): void {
  if (!abilities().ordersTransactions) throw new Fault("changes_not_available");
}

const readerOf = (caller: Caller): Reader => ({ reader: nameOfActor(caller), client: caller.client ?? "" });

async function startOf(caller: Caller, { cursor, since, since_last }: ChangesRequest): Promise<Start> {
  if (cursor === contract.AGAIN && !since_last)
    throw new Fault("invalid_parameter", { parameter: "cursor" }, "cursor: `again` needs since_last=true.");
  const isWord = cursor === undefined || cursor === contract.NOW || cursor === contract.AGAIN;
  const position = isWord ? null : cursors.decode(caller, cursor);
  const reader = since_last ? await read(caller, (db) => findReader(db, readerOf(caller))) : null;
  const reached = reader?.reached ?? null;
  if (cursor === contract.NOW) return { from: [(await read(caller, findSettled)) - 1, LAST_SEQ], known: reached };
  if (cursor === contract.AGAIN) return { from: reader?.began ?? BEGINNING, known: reached };
  if (position === null && reached === null && since)
    return { from: (await read(caller, (db) => findPlaceBefore(db, since))) ?? BEGINNING, known: reached };
  return { from: position ?? reached ?? BEGINNING, known: reached };
}

/**
 * A page. Most readers who poll find nothing, and the statement of a page takes the database several times as long to begin
 * with as the question whether there is anything: so that is asked first where the feed ended the last time, and beside the
 * look-up of a record.
 */
async function pageFrom(ctx: Ctx, asked: ChangesRequest, from: RowPlace): Promise<Page> {
  const { types, focus, limit } = asked;
  const since = asked.cursor === undefined ? asked.since : undefined;
  if (focus === undefined && !wasEnd(ctx.workspaceId, from))
    return fullPage(ctx, { types, record: null, limit, since }, from);
  const [isMore, record] = await together([
    from === BEGINNING || hasBehind(ctx.db, from),
    focus === undefined ? null : resolveExisting(ctx, focus),
  ]);
  return isMore ? fullPage(ctx, { types, record, limit, since }, from) : { changes: [], next: from, has_more: false };
}

async function fullPage(ctx: Ctx, { types, record, limit, since }: Sought, from: RowPlace): Promise<Page> {
  const { rows: found, edge, more } = await rowsFrom(ctx, { types, record, limit: limit + 1 }, from);
  const rows = found.slice(0, limit);
  const places = rows.map(({ writtenIn, seq }): RowPlace => [writtenIn, seq]);
  const print = printerOfChanges();
  const cut = since ? formatTime(since) : null;
  const changes = cursors.encode(ctx, places).flatMap((cursor, index) => {
    const row = rows[index] as ChangeRow;
    return cut !== null && atOf(row) < cut ? [] : [print(row, cursor)];
  });
  const last = places.at(-1) ?? from;
  if (found.length > limit) return { changes, next: last, has_more: true };
  const next = edge ?? last;
  if (!more && !record) noteEnd(ctx.workspaceId, next);
  return { changes, next, has_more: more };
}

/** `edge`: the last row that was looked at, where that is not the last that was found. */
async function rowsFrom(ctx: Ctx, { types, record, limit }: Sought, from: RowPlace) {
  if (record) {
    const rows = await findChangesOfEntities(ctx.db, from, limit, types ?? null, evidenceIds(record));
    return { rows, edge: null, more: false };
  }
  if (types) return findChangesOfTypes(ctx.db, from, limit, types);
  return { rows: await findChanges(ctx.db, from, limit), edge: null, more: false };
}

/** A page, and whether there are rows behind it that are not final yet. This is asked first, so that no row is in neither. */
const pageAndRest = (caller: Caller, input: ChangesRequest, from: RowPlace) =>
  read(caller, (db) => together([findUnsettled(db), pageFrom({ ...caller, db }, input, from)]));

/** Rows that are committed are final within this, unless some transaction is long. */
const SOON_MS = 5;
const LATE_MS = 250;
/** An announcement may be lost with the instance that made it. */
const LOST_MS = 10_000;

/** Pages behind a place, each as soon as it holds something, or when what was looked at is to be remembered. */
async function* pagesFrom(caller: Caller, input: ChangesRequest, from: RowPlace, news: News): AsyncGenerator<Page> {
  let place = from;
  let pause = SOON_MS;
  while (!news.isOver) {
    news.expect();
    const [unsettled, page] = await pageAndRest(caller, input, place);
    if (page.next !== place) yield page;
    place = page.next;
    if (page.has_more) continue;
    pause = unsettled ? Math.min(pause * 2, LATE_MS) : SOON_MS;
    await news.wait(unsettled ? pause : LOST_MS);
  }
}

/**
 * The first page with a change, or where the feed had come to when the time was over. It is over too when the caller has gone, and
 * when access to the workspace changed: the caller asks again, if it still may.
 */
async function waitFor(
  caller: Caller,
  input: ChangesRequest & { wait?: number | undefined },
  output: contract.ChangesPage,
) {
  const changed = new AbortController();
  const unwatch = watchAccess(caller, () => changed.abort());
  const time = AbortSignal.timeout((input.wait ?? 0) * 1000);
  const over = AbortSignal.any([time, changed.signal, ...(caller.over ? [caller.over()] : [])]);
  const news = newsOf(caller.workspaceId, over);
  let latest = output;
  try {
    for await (const page of pagesFrom(caller, input, cursors.decode(caller, output.next_cursor), news)) {
      latest = answerOf(caller, page).parse();
      if (page.changes.length > 0) break;
    }
    return latest;
  } finally {
    unwatch();
    news.close();
  }
}

/** The feed as events: `change` for each, and `position` where only the place moved. */
async function follow(caller: Caller, input: ChangesRequest, { lastEventId, signal }: From) {
  if (input.since_last)
    throw new Fault(
      "invalid_parameter",
      { parameter: "since_last" },
      "since_last: a stream keeps its place by Last-Event-ID.",
    );
  const { from } = await startOf(caller, lastEventId === null ? input : { ...input, cursor: lastEventId });
  await read(caller, (db) => pageFrom({ ...caller, db }, { ...input, limit: 1 }, from)); // refuses as a page does
  return eventsFrom(caller, input, from, signal);
}

async function* eventsFrom(
  caller: Caller,
  input: ChangesRequest,
  from: RowPlace,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent[]> {
  const news = newsOf(caller.workspaceId, signal);
  const position = (place: RowPlace): StreamEvent => {
    const [id] = cursors.encode(caller, [place]) as [string];
    return { event: "position", id, data: { next_cursor: id } };
  };
  try {
    yield [position(from)];
    for await (const { changes, next } of pagesFrom(caller, input, from, news)) {
      const events = changes.map((text): StreamEvent => {
        const change = JSON.parse(text) as contract.Change;
        return { event: "change", id: change.cursor, data: change };
      });
      yield events.length > 0 ? events : [position(next)];
    }
  } finally {
    news.close();
  }
}
