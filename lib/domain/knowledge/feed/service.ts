import { z } from "zod";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { pageOf, sealedCursorsOf } from "#lib/core/paging.ts";
import { together } from "#lib/core/together.ts";
import { abilities } from "#lib/db/distributed/abilities.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import {
  type EventRow,
  findEvents,
  LAST_SEQ,
  markSuperseded,
  propertiesOfType,
  readStageChanges,
  viewOfEvent,
} from "#lib/domain/crm/timeline/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { type ResolvedEntity, resolveExisting } from "#lib/domain/records/entities/service.ts";
import { findLabels, nameOf } from "#lib/domain/records/names/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import { type FeedRow, findFeed, findHappened, findHorizon, findLatest, findTouched, type Stretch } from "./queries.ts";

export const listActivities = implement(contract.listActivities, async (ctx, { type, limit, cursor }) => {
  const [before] = cursor === undefined ? [LAST_SEQ] : cursors.decode(ctx, cursor);
  const rows = await findFeed(ctx.db, before, limit + 1, type === undefined ? null : propertiesOfType(type));
  const page = pageOf(ctx, cursors, { rows, limit }, ({ seq }) => [seq]);
  return { activities: await shown(ctx, page.shown), limit, ...page.next };
});

/** Events in their current state, with the names of the people and companies they are about. */
async function shown(ctx: Ctx, feedRows: readonly FeedRow[]): Promise<contract.FeedActivity[]> {
  const rows = await markSuperseded(ctx, feedRows);
  const [labels, moves] = await together([
    findLabels(
      ctx.db,
      rows.map(({ entityId }) => entityId),
    ),
    readStageChanges(ctx, rows),
  ]);
  return rows.map((row) => {
    const label = labels.get(row.entityId);
    return {
      ...viewOfEvent(row, { id: row.entityId, name: nameOf(label ?? {}) }, moves.get(row.id)),
      entity_type: label?.type ?? ("person" as const),
      detail: label?.email ?? label?.domain ?? null,
    };
  });
}

const Seq = z.tuple([z.int()]);
const cursors = sealedCursorsOf(contract.listActivities.name, Seq);

export const browseActivities = implement(contract.browseActivities, async (ctx, input) => {
  const { entity_id, type, source = null, from, to, limit, cursor } = input;
  const begin: Place = { at: to ?? "infinity", seq: to ? 0 : LAST_SEQ };
  const before = cursor === undefined ? begin : placeOf(moments.decode(ctx, cursor));
  const stretch = { before, since: from ?? ("-infinity" as const) };
  const wanted = { properties: type === undefined ? null : propertiesOfType(type), source, limit: limit + 1 };
  const missedRows =
    entity_id === undefined
      ? await findHappened(ctx.db, stretch, wanted)
      : await findOf(ctx, await resolveExisting(ctx, entity_id), stretch, wanted);
  const rows = missedRows.slice(0, limit);
  const last = rows.at(-1);
  const next =
    missedRows.length > limit && last
      ? { at: last.observedAt, seq: last.seq }
      : entity_id === undefined
        ? await findHorizon(ctx.db, stretch)
        : null;
  return {
    activities: await shown(ctx, rows),
    limit,
    has_more: next !== null,
    next_cursor: next && moments.encode(ctx, [formatTime(next.at), next.seq]),
    reached: next && formatTime(next.at),
  };
});

type Place = Stretch["before"];
const Moment = z.tuple([z.iso.datetime(), z.int()]);
const moments = sealedCursorsOf(contract.browseActivities.name, Moment);
const placeOf = ([at, seq]: z.output<typeof Moment>): Place => ({ at: new Date(at), seq });

/** The events of one person or company. */
async function findOf(
  ctx: Ctx,
  entity: ResolvedEntity,
  { before, since }: Stretch,
  { properties, source, limit }: { properties: readonly string[] | null; source: string | null; limit: number },
): Promise<EventRow[]> {
  const at = before.at === "infinity" ? null : before.at;
  const rows = await findEvents(ctx.db, entity, {
    before: { at, seq: before.seq },
    knownAt: null,
    properties,
    source,
    limit,
  });
  return since === "-infinity" ? rows : rows.filter(({ observedAt }) => observedAt >= since);
}

/** The number of the last observation a reader was told of, and the oldest transaction that might still commit then. */
const LivePlace = z.tuple([z.int(), z.int()]);
export type LivePlace = z.output<typeof LivePlace>;

/** Places in the live stream. */
export const livePlaces = sealedCursorsOf("live", LivePlace);

/** An event that commits late may have a lower number than one already seen: a reader goes back this far. */
const OVERLAP = 1_000;
/** A reader who missed more reads everything again. */
const MOST_MISSED = 5_000;

/**
 * The entities something was learned about since `since` (null: the reader is new and missed nothing), and the place now.
 * What has a lower number but was not committed then is missed too.
 */
export const readMissed = (workspaceId: WorkspaceId, since: LivePlace | null): Promise<contract.MissedActivities> =>
  withWorkspace(
    workspaceId,
    async (db) => {
      const latest = await findLatest(db);
      // Where transactions have no order, all that is near counts as missed.
      const place: LivePlace = [latest.seq, abilities().ordersTransactions ? latest.settled : 0];
      if (since === null) return { entity_ids: [], all: false, place };
      const [seq, settled] = since;
      if (latest.seq - seq > MOST_MISSED) return { entity_ids: [], all: true, place };
      const asked = { from: seq - OVERLAP, seq, settled, limit: MOST_MISSED + OVERLAP };
      return { entity_ids: await findTouched(db, asked), all: false, place };
    },
    { readOnly: true },
  );
