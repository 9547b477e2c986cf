import { together } from "#lib/core/together.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { findEntities } from "#lib/domain/records/entities/service.ts";
import { findEmployers, findLabels } from "#lib/domain/records/names/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import { findLikely, findPhones, findSuggestions, type Likely, type Suggestion } from "../queries.ts";
import { detailOf } from "../rules.ts";
import { mergedRecord } from "../serialize.ts";

export const suggestMerges = implement(contract.suggestMerges, async (ctx, { limit }) => {
  const { found, countedAt } = await compared(ctx, limit);
  const ids = [...new Set(found.flatMap((one) => one.ids))];
  const [standing, labels, employers, phones] = await together([
    findEntities(ctx.db, ids),
    findLabels(ctx.db, ids),
    findEmployers(ctx.db, ids),
    findPhones(ctx.db, ids),
  ]);
  // Those that were merged, archived or erased since they were found are not suggested.
  const suggestions = found.flatMap(({ ids: alike, reason }) => {
    const active = alike.flatMap((id) => standing.get(id) ?? []).filter(({ status }) => status === "active");
    const records = [...new Map(active.map((entity) => [entity.id, mergedRecord(entity, labels)])).values()];
    const [first, second] = records;
    if (!first || !second) return [];
    const { entity_id: id, name } = first;
    const detail = detailOf(reason, { name, company: employers.get(id) ?? null, phone: phones.get(id) ?? null });
    return [{ records, reason, detail }];
  });
  return { suggestions: suggestions.slice(0, limit), counted_at: countedAt && formatTime(countedAt) };
});

/** A caller waits for everyone to be compared where that takes less; else they get what the maintenance found last. */
const MOST_WAIT_MS = 1_000;

/** Likely duplicates and when they were compared; null: that took longer than a statement may. */
async function compared({ db }: Ctx, limit: number): Promise<{ found: readonly Suggestion[]; countedAt: Date | null }> {
  const last = await findLikely(db);
  const takesLong = last !== null && (last.likely.ms ?? last.tookMs) > MOST_WAIT_MS;
  if (takesLong) return { found: last.likely.first, countedAt: last.countedAt };
  return { found: (await findSuggestions(db, limit)).map(inShort), countedAt: new Date() };
}

/** So many records that are alike are shown. */
const MOST_ALIKE = 10;
const inShort = ({ reason, ids }: Suggestion): Suggestion => ({ reason, ids: ids.slice(0, MOST_ALIKE) });

/** What a caller gets at most. */
const MOST_LIKELY = 200;

/** The likely duplicates that wait. Compares everyone with everyone: for jobs, not for requests. */
export async function countLikely({ db }: Pick<Ctx, "db">): Promise<Likely> {
  const began = performance.now();
  const rows = await findSuggestions(db, MOST_LIKELY + 1);
  return {
    count: Math.min(rows.length, MOST_LIKELY),
    capped: rows.length > MOST_LIKELY,
    first: rows.slice(0, MOST_LIKELY).map(inShort),
    ms: Math.ceil(performance.now() - began),
  };
}
