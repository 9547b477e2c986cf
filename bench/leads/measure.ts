import { say } from "../report.ts";
import type { Stage, Workspace } from "../stage.ts";
import { fillLeads, type LeadsFixture } from "./fill.ts";

/** Contract: every filter and sort of GET /v2/leads, at the 95th percentile, with 250,000 leads. */
const GOAL_MS = 10;
/** Each page is asked for in several rounds, so that a busy moment of the machine does not count as slowness of one of them. */
const ROUNDS = 5;
const TIMES = 40;
/** The first of a round, of which the very first prepare statements, are left out. */
const WARM = 5;

/** Every filter and sort, alone and as the pages combine them. */
const queriesOf = ({ large, small, person }: LeadsFixture): string[] => [
  "",
  "sort=created_asc",
  "sort=score_desc",
  `list_id=${large}`,
  `list_id=${large}&sort=created_asc`,
  `list_id=${large}&sort=score_desc`,
  `list_id=${small}`,
  `list_id=${small}&sort=score_desc`,
  `entity_id=${person}`,
  ...["pending", "sent", "replied", "bounced"].flatMap((status) => [
    `status=${status}`,
    `status=${status}&sort=score_desc`,
    `list_id=${large}&status=${status}`,
    `list_id=${large}&status=${status}&sort=score_desc`,
    `list_id=${small}&status=${status}`,
  ]),
  ...["interested", "objection", "wrong_fit", "unsubscribe"].flatMap((outcome) => [
    `reply_outcome=${outcome}`,
    `reply_outcome=${outcome}&sort=score_desc`,
    `list_id=${large}&reply_outcome=${outcome}`,
    `list_id=${small}&reply_outcome=${outcome}`,
  ]),
  ...["has_replied=true", "has_replied=false", "has_email=true", "has_email=false"].flatMap((has) => [
    has,
    `${has}&sort=created_asc`,
    `${has}&sort=score_desc`,
    `list_id=${large}&${has}`,
  ]),
  ...["1d", "7d", "30d", "90d"].flatMap((days) => [
    `sent_within=${days}`,
    `sent_within=${days}&sort=created_asc`,
    `sent_within=${days}&sort=score_desc`,
    `list_id=${large}&sent_within=${days}`,
    `list_id=${large}&sent_within=${days}&sort=created_asc`,
    `list_id=${small}&sent_within=${days}&sort=created_asc`,
    `sent_before=${days}`,
    `sent_before=${days}&sort=score_desc`,
    `list_id=${large}&sent_before=${days}&status=sent`,
  ]),
  ...["0.2", "0.9", "0.99", "1"].flatMap((score) => [
    `score_gte=${score}`,
    `score_gte=${score}&sort=score_desc`,
    `list_id=${large}&score_gte=${score}`,
    `list_id=${large}&score_gte=${score}&status=replied`,
  ]),
  ...["status=pending,sent", "status=not:pending", "reply_outcome=exists:false", "score_lte=0.1"].flatMap((filter) => [
    filter,
    `${filter}&sort=score_desc`,
    `list_id=${large}&${filter}`,
  ]),
  "offset=10000",
  "offset=10000&sort=score_desc",
];

/** GET /v2/leads with so many leads; one caller at a time. Returns missed goals. */
export async function measureLeads(stage: Stage, leads: number): Promise<string[]> {
  const workspace = await stage.createWorkspace("Leads");
  const filled = await fillLeads(stage.adminUrl, workspace.id, leads);
  say(`\nGET /v2/leads, ${leads.toLocaleString("en")} leads, pages of 100; goal: p95 of at most ${GOAL_MS} ms`);
  const missed: string[] = [];
  const names = new Map([
    [filled.large, "large"],
    [filled.small, "small"],
    [filled.person, "person"],
  ]);
  const pages = [
    { what: "a request that reads no list (GET /v2/me)", path: "/v2/me" },
    ...queriesOf(filled).map((query) => ({
      what: query.replaceAll(/[0-9a-f-]{36}/g, (id) => names.get(id) ?? id) || "all",
      path: `/v2/leads?limit=100&${query}`,
    })),
  ].map((page) => ({ ...page, times: [] as number[], rows: 0 }));
  for (let round = 0; round < ROUNDS; round++)
    for (const page of pages) {
      const { times, rows } = await timesOf(stage, workspace, page.path);
      page.times.push(...times);
      page.rows = rows;
    }
  for (const { what, times, rows } of pages) {
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
    if (at(0.95) > GOAL_MS) missed.push(`leads ${what}`);
    say(
      `${what.padEnd(48)} ${rows.toString().padStart(4)} rows  p50 ${at(0.5).toFixed(1).padStart(5)} ms  p95 ${at(0.95).toFixed(1).padStart(5)} ms`,
    );
  }
  return missed;
}

async function timesOf(stage: Stage, { key }: Workspace, path: string): Promise<{ times: number[]; rows: number }> {
  const times: number[] = [];
  let rows = 0;
  for (let time = 0; time < WARM + TIMES; time++) {
    const begun = performance.now();
    const answer = await fetch(`${stage.base}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const text = await answer.text();
    times.push(performance.now() - begun);
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${text}`);
    rows = (JSON.parse(text) as { leads?: unknown[] }).leads?.length ?? 0;
  }
  return { times: times.slice(WARM), rows };
}
