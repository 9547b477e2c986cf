/**
 * Rounds of random programmes of two tenants on one small pool, each round checked against the table once all its work
 * has ended.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { getPool } from "#lib/db/pool.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { type Owner, type ProgrammeEnd, runProgramme } from "./handle.ts";
import { type Blow, strike } from "./strikes.ts";
import type { Verdict } from "./verdict.ts";

const PROGRAMMES = 120;
const AT_ONCE = 12;
/** Branches that were left behind end within this. */
const SILENT_MS = 60;

export type Rounds = { seed: number; ms: number; owners: readonly [Owner, Owner]; admin: pg.Client; verdict: Verdict };

/** Plays rounds until the time is up or something goes wrong; returns the seed of that round. */
export async function playRounds({ seed, ms, owners, admin, verdict }: Rounds): Promise<number> {
  const end = performance.now() + ms;
  for (let round = seed; ; round++) {
    await playRound(chanceOf(round), owners, admin, verdict);
    if (performance.now() >= end || Object.keys(verdict.report().wrongs).length > 0) return round;
  }
}

async function playRound(chance: Chance, owners: Rounds["owners"], admin: pg.Client, verdict: Verdict): Promise<void> {
  const outcomes: ProgrammeEnd[] = [];
  let left = PROGRAMMES;
  const worker = async (own: Chance, owner: Owner) => {
    while (left-- > 0) outcomes.push(await runProgramme(owner, own, verdict));
  };
  const workers = Array.from({ length: AT_ONCE }, (_, place) => worker(chance.fork(), owners[place % 2] as Owner));
  const striker = strikes(chance.fork(), admin, () => left > 0);
  await Promise.all([...workers, striker]);
  await sleep(SILENT_MS);
  await checkTable(outcomes, owners, admin, verdict);
  const pool = await getPool();
  if (pool.idleCount !== pool.totalCount || pool.waitingCount > 0)
    verdict.wrong("fault", `${pool.totalCount - pool.idleCount} connections were not given back`);
}

/** Every round of some has its connections ended or cancelled; the others run undisturbed, where no error has an excuse. */
async function strikes(chance: Chance, admin: pg.Client, goesOn: () => boolean): Promise<void> {
  if (chance.percent(50)) return;
  while (goesOn()) {
    await sleep(chance.int(1, 60));
    await strike(admin, chance.pick<Blow>(["terminate", "cancel"]), (count) => chance.int(0, count - 1));
  }
}

async function checkTable(
  outcomes: readonly ProgrammeEnd[],
  owners: Rounds["owners"],
  admin: pg.Client,
  verdict: Verdict,
): Promise<void> {
  const { rows } = await admin.query<{ workspace_id: string; id: string; mark: string }>(
    "SELECT workspace_id, id, mark FROM torture_marks",
  );
  const jobs = await admin.query<{ payload: { workspace_id: string; connection_id: string } }>(
    "DELETE FROM graphile_worker._private_jobs RETURNING payload",
  );
  const queued = new Map(jobs.rows.map(({ payload }) => [payload.connection_id, payload.workspace_id]));
  const ids = new Set([...rows.map(({ id }) => id), ...queued.keys()]);
  for (const { workspace_id, mark } of rows)
    if (owners.find(({ id }) => id === workspace_id)?.mark !== mark)
      verdict.wrong("crossing", "a row was written into the other workspace");
  for (const outcome of outcomes) {
    const { owner, present, absent } = outcome();
    if (present.some((id) => queued.has(id) && queued.get(id) !== owner.id))
      verdict.wrong("crossing", "a job was queued for the other workspace");
    verdict.count("rows checked", present.length + absent.length);
    if (present.some((id) => !ids.has(id))) verdict.wrong("half done", "a row of work that succeeded is not there");
    if (absent.some((id) => ids.has(id))) verdict.wrong("half done", "a row of work that failed is there");
  }
  const kept = owners.map(({ id }) => id);
  await admin.query("DELETE FROM torture_marks WHERE id <> ALL($1)", [kept]);
}

/** One row of each tenant that stays: without it an empty answer could not be told from a wrong one. */
export async function plantMarks(owners: readonly Owner[], admin: pg.Client): Promise<void> {
  for (const { id, mark } of owners)
    await admin.query("INSERT INTO torture_marks (workspace_id, id, mark) VALUES ($1, $1, $2)", [id, mark]);
}
