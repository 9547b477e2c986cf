import { z } from "zod";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { sealedCursorsOf } from "#lib/core/paging.ts";
import { together } from "#lib/core/together.ts";
import { isDistributed } from "#lib/db/pool.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { implement } from "#lib/domain/implement.ts";
import { findLabels, nameOf } from "#lib/domain/names/service.ts";
import {
  LAST_SEQ,
  markSuperseded,
  propertiesOfType,
  readStageChanges,
  viewOfEvent,
} from "#lib/domain/timeline/service.ts";
import * as contract from "./contract.ts";
import { findFeed, findLatest, findTouched } from "./queries.ts";

export const listActivities = implement(contract.listActivities, async (ctx, { type, limit, cursor }) => {
  const [before] = cursor === undefined ? [LAST_SEQ] : cursors.decode(ctx, cursor);
  const found = await findFeed(ctx.db, before, limit + 1, type === undefined ? null : propertiesOfType(type));
  const rows = await markSuperseded(ctx, found.slice(0, limit));
  const [labels, moves] = await together([
    findLabels(
      ctx.db,
      rows.map(({ entityId }) => entityId),
    ),
    readStageChanges(ctx, rows),
  ]);
  const activities = rows.map((row) => {
    const label = labels.get(row.entityId);
    return {
      ...viewOfEvent(row, { id: row.entityId, name: nameOf(label ?? {}) }, moves.get(row.id)),
      entity_type: label?.type ?? ("person" as const),
      detail: label?.email ?? label?.domain ?? null,
    };
  });
  const last = rows.at(-1);
  const has_more = found.length > limit;
  return { activities, limit, has_more, next_cursor: has_more && last ? cursors.encode(ctx, [last.seq]) : null };
});

const Seq = z.tuple([z.int()]);
const cursors = sealedCursorsOf(contract.listActivities.name, Seq);

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
export const readMissed = (workspaceId: WorkspaceId, since: LivePlace | null): Promise<contract.Missed> =>
  withWorkspace(
    workspaceId,
    async (db) => {
      const latest = await findLatest(db);
      // Each machine numbers its own transactions: there, all that is near counts as missed.
      const place: LivePlace = [latest.seq, isDistributed() ? 0 : latest.settled];
      if (since === null) return { entity_ids: [], all: false, place };
      const [seq, settled] = since;
      if (latest.seq - seq > MOST_MISSED) return { entity_ids: [], all: true, place };
      const asked = { from: seq - OVERLAP, seq, settled, limit: MOST_MISSED + OVERLAP };
      return { entity_ids: await findTouched(db, asked), all: false, place };
    },
    { readOnly: true },
  );
