import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type CompanyFacts, featuresOfPerson, type PersonFacts } from "#lib/domain/crm/scores/rules/features.ts";
import { scorerOf } from "#lib/domain/crm/scores/rules/scorer.ts";
import { readSections } from "#lib/domain/knowledge/scoring/rules/read.ts";
import { generateContacts } from "../generate.ts";
import { say } from "../report.ts";
import type { Stage, Workspace } from "../stage.ts";

const ICP =
  "Software companies and fintechs in Europe and North America, 50 to 500 employees. We sell to VPs of Sales, Heads of Marketing and CFOs. Not agencies, not government.";

const GOALS = { perSecond: 20_000, seconds: 60, slower: 2 } as const;

type Sums = { median: number; p99: number };

/**
 * A change of the model at `people` people: how fast the scorer is alone, how long until everyone is scored, and what
 * requests take meanwhile compared with before. Returns missed goals.
 */
export async function measureScoring(stage: Stage, people: number): Promise<string[]> {
  const workspace = await stage.createWorkspace("Scoring");
  await generateContacts({
    url: stage.adminUrl,
    workspaceId: workspace.id,
    people,
    companies: people / 5,
    observationsPerPerson: 2,
    workspaces: 0,
  });
  const { signals } = readSections([{ name: "ICP", content: ICP }]);
  say(`\nScoring ${people.toLocaleString("en")} people with ${signals.length} signals`);
  const missed: string[] = [];
  const judge = (what: string, value: string, good: boolean) => {
    say(`  ${good ? "ok  " : "MISS"} ${what}: ${value}`);
    if (!good) missed.push(what);
  };

  const alone = await scoreAlone(stage, workspace, signals);
  judge("scorer alone", `${Math.round(alone).toLocaleString("en")} people/s`, alone >= GOALS.perSecond);

  for (const [round, change] of [
    ["the first model", signals],
    ["another model", signals.map((signal) => ({ ...signal, weight: signal.weight * 0.7 }))],
  ] as const) {
    const before = await latency(stage, workspace, async () => (await sleep(4_000)) ?? true);
    const started = performance.now();
    await post(stage, workspace, "/v2/workspace/scoring-model", { signals: change, force: true });
    const during = await latency(stage, workspace, () => finished(stage, workspace));
    const seconds = (performance.now() - started) / 1000;
    judge(
      `${round}, everyone scored`,
      `${seconds.toFixed(1)} s, ${Math.round(people / seconds).toLocaleString("en")} people/s`,
      seconds <= GOALS.seconds,
    );
    const slower = during.median / before.median;
    judge(
      `${round}, a request meanwhile`,
      `median ${during.median.toFixed(1)} ms beside ${before.median.toFixed(1)} ms (${slower.toFixed(2)} ×), p99 ${during.p99.toFixed(0)} beside ${before.p99.toFixed(0)} ms`,
      slower <= GOALS.slower,
    );
  }
  return missed;
}

/** People that the scorer scores in a second, features and all, without the database. */
async function scoreAlone(stage: Stage, { id }: Workspace, signals: Parameters<typeof scorerOf>[0]): Promise<number> {
  const client = new pg.Client({ connectionString: stage.adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<PersonFacts & { employer: CompanyFacts | null }>(
      `SELECT p.job_title AS "jobTitle", p.company, p.custom, CASE WHEN c.id IS NULL THEN NULL ELSE json_build_object(
         'name', c.name, 'industry', c.industry, 'employeeCount', c.employee_count, 'country', c.country, 'custom', c.custom) END AS employer
       FROM people p LEFT JOIN companies c ON c.workspace_id = p.workspace_id AND c.id = p.company_id WHERE p.workspace_id = $1 LIMIT 50000`,
      [id],
    );
    const scorer = scorerOf(signals);
    const started = performance.now();
    for (const row of rows) scorer.score(featuresOfPerson(row));
    return rows.length / ((performance.now() - started) / 1000);
  } finally {
    await client.end();
  }
}

/** What single requests take, one after the other, until `over` says so. */
async function latency(stage: Stage, workspace: Workspace, over: () => Promise<boolean>): Promise<Sums> {
  const times: number[] = [];
  let done = false;
  const watching = (async () => {
    while (!(await over())) await sleep(250);
    done = true;
  })();
  while (!done) {
    for (const path of ["/v2/people?limit=25", "/v2/people?sort=icp_score_desc&limit=25", "/v2/workspace/status"]) {
      const { url, headers } = stage.ours(workspace, path);
      const started = performance.now();
      await (await fetch(url, { headers: headers ?? {} })).arrayBuffer();
      times.push(performance.now() - started);
      await sleep(5);
    }
  }
  await watching;
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)] ?? 0, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

async function post(stage: Stage, workspace: Workspace, path: string, body: object): Promise<void> {
  const { url, headers } = stage.ours(workspace, path);
  const answer = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

async function finished(stage: Stage, workspace: Workspace): Promise<boolean> {
  const { url, headers } = stage.ours(workspace, "/v2/workspace/scoring-model");
  const { model } = (await (await fetch(url, { headers: headers ?? {} })).json()) as {
    model: { finished_at: string | null };
  };
  return model.finished_at !== null;
}
