import { HIDEABLE } from "#lib/core/limits.ts";
import type { Total } from "#lib/core/page-input.ts";
import { together } from "#lib/core/together.ts";
import { CONNECTION_DAYS } from "#lib/domain/access/oauth/words.ts";
import { listPeople } from "#lib/domain/crm/people/service.ts";
import { hiddenNames } from "#lib/domain/hidden-fields.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { ENDS_WITHIN_DAYS } from "#lib/domain/integrations/connections/words.ts";
import { countUnmatched } from "#lib/domain/integrations/inbound/service.ts";
import { countFailed } from "#lib/domain/integrations/jobs/service.ts";
import { agedOfActive, ofOneSourceOfActive } from "#lib/domain/knowledge/attention/service.ts";
import type { Likely } from "#lib/domain/knowledge/merges/service.ts";
import { findEntities } from "#lib/domain/records/entities/service.ts";
import { readFacts } from "#lib/domain/records/facts/service.ts";
import { findLabels, nameOf } from "#lib/domain/records/names/service.ts";
import { DAY_MS, formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import { countStopped, findCounts, type Stopped } from "./queries.ts";
import {
  checkOf,
  claimItem,
  likelyItem,
  sectionsToRevisit,
  silentItem,
  stateOfUnreachable,
  unreachable,
} from "./rules.ts";
import { worstOf } from "./words.ts";

/** More facts than a profile has. */
const MOST_FACTS = 500;

/** Triggers that were stopped, integrations with a problem, and what ends soon. */
export function stoppedIn({ db }: Pick<Ctx, "db">, now: Date): Promise<Stopped> {
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
  const connectedBefore = inDays(ENDS_WITHIN_DAYS - CONNECTION_DAYS);
  return countStopped(db, { now, soon: inDays(ENDS_WITHIN_DAYS), connectedBefore });
}

export const getChecks = implement(contract.getChecks, async (ctx) => {
  const now = new Date();
  // Who may not see phone numbers is not told how many have none.
  const seesPhones = !hiddenNames(ctx.limits).includes(HIDEABLE);
  const [stopped, failed, counted, unmatched, cut, people, aged, single, facts] = await together([
    stoppedIn(ctx, now),
    countFailed(ctx),
    findCounts(ctx.db),
    countUnmatched(ctx, now),
    seesPhones ? countPeople(ctx, unreachable) : null,
    countPeople(ctx, {}),
    agedOfActive(ctx, now),
    ofOneSourceOfActive(ctx),
    readFacts(ctx, { limit: MOST_FACTS }),
  ]);
  const sections = sectionsToRevisit(facts);
  const claims = ({ claims: all, capped }: typeof aged) => ({
    count: all.length,
    capped,
    items: all.map(claimItem),
    countedAt: now,
  });
  const silent = counted?.silentSources ?? [];
  const earlier = { countedAt: counted?.countedAt ?? null };
  const checks = [
    checkOf("triggers", { count: stopped.triggers, countedAt: now }),
    checkOf("integrations", { count: stopped.connections, countedAt: now }),
    checkOf("keys", { count: stopped.keys, countedAt: now }),
    checkOf("tokens", { count: stopped.tokens, countedAt: now }),
    checkOf("clients", { count: stopped.clients, countedAt: now }),
    checkOf("mailboxes", { count: stopped.mailboxes, countedAt: now }),
    checkOf("jobs", { count: failed, countedAt: now }),
    checkOf("silent_sources", { count: silent.length, items: silent.map(silentItem), ...earlier }),
    checkOf("unmatched_activities", { ...unmatched, countedAt: now }),
    checkOf("duplicates", { ...(await stillLikely(ctx, counted?.duplicates)), ...earlier }),
    ...(cut ? [checkOf("unreachable_people", { ...cut, countedAt: now }, stateOfUnreachable(cut, people))] : []),
    checkOf("aged_facts", claims(aged)),
    checkOf("single_source_facts", claims(single)),
    checkOf("profile_sections", { count: sections.length, items: sections, countedAt: now }),
  ];
  return { state: worstOf(checks), checks, as_of: formatTime(now) };
});

/** As many as the list of people counts with these filters. */
async function countPeople(ctx: Ctx, filters: object): Promise<Total> {
  const { run } = await listPeople.prepare(ctx, { ...filters, limit: 1, include: "count" });
  return ((await run(ctx.db)) as { total: Total }).total;
}

/** Without those that were merged, archived or erased since they were counted, as far as they are known. */
async function stillLikely(ctx: Ctx, likely: Likely = { count: 0, capped: false, first: [] }) {
  const { count, capped, first } = likely;
  const ids = [...new Set(first.flatMap((each) => each.ids))];
  const [records, labels] = await together([findEntities(ctx.db, ids), findLabels(ctx.db, ids)]);
  const items = first.flatMap(({ ids: alike, reason }) => {
    const active = alike.flatMap((id) => records.get(id) ?? []).filter(({ status }) => status === "active");
    const [one, other] = new Set(active.map(({ id }) => id));
    return one === undefined || other === undefined ? [] : [likelyItem(nameOf(labels.get(one) ?? {}), reason, one)];
  });
  return { count: count - (first.length - items.length), capped, items };
}
