/**
 * What runs behind requests: everyone scored again with a plan made for an empty queue, and stops while the database is away.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { database, inspect } from "../database.ts";
import { administer, onDatabase } from "../postgres.ts";
import { startApp } from "./app.ts";
import type { Chance } from "./chance.ts";
import type { Tenant } from "./requests.ts";
import type { Verdict } from "./verdict.ts";

type Playing = { pool: number; tenant: Tenant; chance: Chance; verdict: Verdict };

const PEOPLE = 3_000;
const AT_ONCE = 500;
/** A run over everyone takes a few seconds. With the wrong plan it takes longer than a statement may. */
const SCORED_MS = 25_000;
/** What still runs may take its time, and others are not waited for. */
const STOPPED_MS = 12_000;

const signals = [
  { key: "title", label: "Title", weight: 5, rule: { feature: "job_title", op: "contains_any", value: ["3"] } },
];

/** Plays round after round until the time is up, and one in any case. */
export async function playJobs(ms: number, on: Playing): Promise<void> {
  for (let made = 0; made < PEOPLE; made += AT_ONCE) {
    const people = Array.from({ length: AT_ONCE }, (_, place) => ({
      email: `p${made + place}@many.example`,
      job_title: `title ${place % 7}`,
    }));
    await on.tenant.stage.run("upsertPeople", { people });
  }
  const end = performance.now() + ms;
  do await playRound(on);
  while (performance.now() < end && Object.keys(on.verdict.report().wrongs).length === 0);
}

async function playRound({ pool, tenant, chance, verdict }: Playing): Promise<void> {
  await inspect("ANALYZE score_queue");
  const app = await startApp({ pool });
  const headers = { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" };
  const address = `${app.url}/v2/workspace/scoring-model`;
  const score = async () => {
    const response = await fetch(address, { method: "POST", headers, body: JSON.stringify({ signals, force: true }) });
    if (response.status !== 201) throw new Error(`the model was not saved: ${await response.text()}`);
  };
  const since = performance.now();
  await score();
  for (;;) {
    const { model } = (await (await fetch(address, { headers })).json()) as { model: { finished_at: string | null } };
    if (model.finished_at !== null) break;
    if (performance.now() - since > SCORED_MS) {
      verdict.wrong("fault", `${PEOPLE} people were not scored in time`);
      break;
    }
    await sleep(50);
  }
  verdict.count("runs over everyone");
  await score();
  await sleep(chance.int(0, 1_500));
  await withoutDatabase(async () => {
    await sleep(chance.int(0, 1_500));
    const began = performance.now();
    const { code, output } = await app.stop();
    const problem = /.*(more than once|unhandled|TypeError).*/i.exec(output)?.[0];
    if (problem !== undefined) verdict.wrong("unhandled rejection", `at a stop without a database: ${problem}`);
    if (code !== 0) verdict.wrong("fault", `a stop without a database ended with ${code}`);
    if (performance.now() - began > STOPPED_MS) verdict.wrong("fault", "a stop without a database did not end in time");
  });
  for (const complaint of app.complaints()) verdict.wrong("unhandled rejection", complaint);
  verdict.count("stops without a database");
}

/** Ends every connection of an app, and lets none in while the work runs. */
async function withoutDatabase(work: () => Promise<void>): Promise<void> {
  const other = onDatabase(database.adminUrl, "postgres");
  const allow = (allowed: boolean) =>
    administer(other, (client) => client.query(`ALTER DATABASE "${database.name}" ALLOW_CONNECTIONS ${allowed}`));
  await allow(false);
  try {
    await administer(other, (client) =>
      client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name ~ 'rapport|graphile'",
        [database.name],
      ),
    );
    await work();
  } finally {
    await allow(true);
  }
}
