import { z } from "zod";
import type { WorkspaceId } from "#lib/core/ids.ts";
import { sealedCursorsOf } from "#lib/core/paging.ts";
import { together } from "#lib/core/together.ts";
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
import { findFeed, findLatestSeq, findTouched } from "./queries.ts";

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

/** Positions in the live stream: the number of the last event a reader received. */
export const livePlaces = sealedCursorsOf("live", Seq);

/** An event that commits late may have a lower number than one already seen: a reader goes back this far. */
const OVERLAP = 1_000;
/** A reader who missed more reads everything again. */
const MOST_MISSED = 5_000;

/**
 * The entities something was learned about since `seq` (null: the reader is new and missed nothing), and the latest
 * number.
 */
export const readMissed = (workspaceId: WorkspaceId, seq: number | null): Promise<contract.Missed> =>
  withWorkspace(
    workspaceId,
    async (db) => {
      const last_seq = await findLatestSeq(db);
      if (seq === null || seq >= last_seq) return { entity_ids: [], last_seq, all: false };
      if (last_seq - seq > MOST_MISSED) return { entity_ids: [], last_seq, all: true };
      return { entity_ids: await findTouched(db, seq - OVERLAP, MOST_MISSED + OVERLAP), last_seq, all: false };
    },
    { readOnly: true },
  );
