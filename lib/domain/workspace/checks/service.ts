import type { Total } from "#lib/core/page-input.ts";
import { together } from "#lib/core/together.ts";
import { listPeople } from "#lib/domain/crm/people/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { countUnmatched } from "#lib/domain/integrations/inbound/service.ts";
import { countFailed } from "#lib/domain/integrations/jobs/service.ts";
import { agedOfActive, ofOneSourceOfActive } from "#lib/domain/knowledge/attention/service.ts";
import { countLikely } from "#lib/domain/knowledge/merges/service.ts";
import { silentSources } from "#lib/domain/knowledge/overview/service.ts";
import { readFacts } from "#lib/domain/records/facts/service.ts";
import { findLabels, nameOf } from "#lib/domain/records/names/service.ts";
import { DAY_MS, formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import { countStopped } from "./queries.ts";
import {
  checkOf,
  claimItem,
  KEYS_END_WITHIN_DAYS,
  likelyItem,
  sectionsToRevisit,
  silentItem,
  stateOfUnreachable,
  unreachable,
} from "./rules.ts";
import { worstOf } from "./words.ts";

/** More facts than a profile has. */
const MOST_FACTS = 500;

/** Triggers that were stopped, integrations with a problem, keys that end soon. */
export const stoppedIn = ({ db }: Pick<Ctx, "db">, now: Date): ReturnType<typeof countStopped> =>
  countStopped(db, now, new Date(now.getTime() + KEYS_END_WITHIN_DAYS * DAY_MS));

export const getChecks = implement(contract.getChecks, async (ctx) => {
  const now = new Date();
  const [stopped, failed, silent, unmatched, likely, cut, people, aged, single, facts] = await together([
    stoppedIn(ctx, now),
    countFailed(ctx),
    silentSources(ctx, now),
    countUnmatched(ctx, now),
    countLikely(ctx),
    countPeople(ctx, unreachable),
    countPeople(ctx, {}),
    agedOfActive(ctx, now),
    ofOneSourceOfActive(ctx),
    readFacts(ctx, { limit: MOST_FACTS }),
  ]);
  const sections = sectionsToRevisit(facts);
  const claims = ({ claims: all, capped }: typeof aged) => ({ count: all.length, capped, items: all.map(claimItem) });
  const checks = [
    checkOf("triggers", { count: stopped.triggers }),
    checkOf("integrations", { count: stopped.connections }),
    checkOf("keys", { count: stopped.keys }),
    checkOf("jobs", { count: failed }),
    checkOf("silent_sources", { count: silent.length, items: silent.map(silentItem) }),
    checkOf("unmatched_activities", unmatched),
    checkOf("duplicates", { ...likely, items: await itemsOf(ctx, likely.first) }),
    checkOf("unreachable_people", cut, stateOfUnreachable(cut, people)),
    checkOf("aged_facts", claims(aged)),
    checkOf("single_source_facts", claims(single)),
    checkOf("profile_sections", { count: sections.length, items: sections }),
  ];
  return { state: worstOf(checks), checks, as_of: formatTime(now) };
});

/** As many as the list of people counts with these filters. */
async function countPeople(ctx: Ctx, filters: object): Promise<Total> {
  const { run } = await listPeople.prepare(ctx, { ...filters, limit: 1, include: "count" });
  return ((await run(ctx.db)) as { total: Total }).total;
}

/** Those that are still apart, by the name of the first. */
async function itemsOf(ctx: Ctx, likely: Awaited<ReturnType<typeof countLikely>>["first"]) {
  const labels = await findLabels(ctx.db, [...new Set(likely.flatMap(({ ids }) => ids))]);
  return likely.flatMap(({ ids, reason }) => {
    const [first, second] = ids.filter((id) => labels.get(id)?.status === "active");
    return first === undefined || second === undefined
      ? []
      : [likelyItem(nameOf(labels.get(first) ?? {}), reason, first)];
  });
}
