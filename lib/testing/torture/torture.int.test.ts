/**
 * Two tenants under random failure. Half a minute of it runs with the tests; `npm run torture` runs it for as long as wanted
 * (see `run.ts`). The seed is printed; TORTURE_SEED plays the same programmes again.
 */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePool } from "#lib/db/pool.ts";
import { bootWith, database } from "../database.ts";
import { createTestWorkspace } from "../workspace.fixture.ts";
import { type App, SMALL_MACHINE, startApp } from "./app.ts";
import { playBeside } from "./beside.ts";
import { chanceOf } from "./chance.ts";
import { playChanges } from "./changes.ts";
import { watchDeadlocks } from "./deadlocks.ts";
import { MARKS } from "./handle.ts";
import { plantMarks, playRounds } from "./handle-rounds.ts";
import { playJobs } from "./jobs.ts";
import { openLedger } from "./ledger.ts";
import { options, poolsOf, portion } from "./options.ts";
import { play } from "./play.ts";
import { playRaces } from "./races.ts";
import { checkRows } from "./rows.ts";
import { soak } from "./soak.ts";
import { watchPools } from "./strikes.ts";
import { createTenants } from "./tenants.ts";
import { openVerdict, type Verdict } from "./verdict.ts";

const admin = new pg.Client({ connectionString: database.adminUrl });
beforeAll(async () => {
  watchPools();
  await admin.connect();
});
afterAll(() => admin.end());

for (const pool of poolsOf("handle")) {
  const ms = portion("handle");
  test(`a handle ends with its work: programmes on ${pool} connections`, { timeout: ms + 60_000 }, async () => {
    await closePool();
    bootWith({ DATABASE_POOL_SIZE: String(pool) });
    await admin.query(`DROP TABLE IF EXISTS torture_marks; ${MARKS}`);
    const [a, b] = [await createTestWorkspace(), await createTestWorkspace()];
    const owners = [
      { id: a.id, mark: "markA" },
      { id: b.id, mark: "markB" },
    ] as const;
    await plantMarks(owners, admin);
    const verdict = openVerdict();
    const last = await playRounds({ seed: options.seed, ms, owners, admin, verdict });
    conclude(`handle, pool ${pool}, seed ${last}`, verdict);
  });
}

/** Starts an app, plays with it, and says what was wrong: in what `playing` saw, and in what is left when it has ended. */
async function played(
  what: string,
  options: Parameters<typeof startApp>[0],
  playing: (app: App, verdict: Verdict) => Promise<void>,
): Promise<void> {
  const verdict = openVerdict();
  const tellDeadlocks = await watchDeadlocks(admin);
  const app = await startApp(options);
  try {
    await playing(app, verdict);
    for (const name of await app.underWay()) verdict.wrong("under way for ever", name);
  } finally {
    await app.stop();
  }
  for (const complaint of app.complaints()) verdict.wrong("unhandled rejection", complaint);
  await closePool();
  await tellDeadlocks(verdict);
  conclude(what, verdict);
}

for (const pool of poolsOf("operations")) {
  const ms = portion("operations");
  test(`every operation under failure on ${pool} connections`, { timeout: ms + 120_000 }, async () => {
    await closePool();
    bootWith({ DATABASE_POOL_SIZE: "8" });
    const chance = chanceOf(options.seed);
    const tenants = await createTenants();
    const what = `operations, pool ${pool}, seed ${options.seed}`;
    await played(what, { pool, failing: true }, async (app, verdict) => {
      const on = { app, tenants, ledger: openLedger(), verdict, effects: new Map() };
      for (const { letter, stage } of tenants) on.ledger.own(letter, stage.id);
      await play(ms / 2, chance.fork(), false, on);
      await play(ms / 2, chance.fork(), true, on);
      await app.underWay();
      await checkRows(on);
    });
  });
}

for (const pool of poolsOf("beside")) {
  const ms = portion("beside");
  test(`32 that end early beside 32 ordinary ones on ${pool} connections`, { timeout: ms + 120_000 }, async () => {
    await closePool();
    bootWith();
    const [a, b] = await createTenants();
    const ledger = openLedger();
    for (const { letter, stage } of [a, b]) ledger.own(letter, stage.id);
    await played(`beside, pool ${pool}`, { pool }, (app, verdict) =>
      playBeside(ms, { app, early: a, ordinary: b, ledger, verdict }),
    );
  });
}

for (const pool of poolsOf("changes")) {
  const ms = portion("changes");
  test(`readers of changes miss nothing while apps are killed, on ${pool} connections`, {
    timeout: ms + 180_000,
  }, async () => {
    await closePool();
    bootWith();
    const tenants = await createTenants();
    const verdict = openVerdict();
    const tellDeadlocks = await watchDeadlocks(admin);
    await playChanges(ms, { pool, tenants, chance: chanceOf(options.seed), admin, verdict });
    await closePool();
    await tellDeadlocks(verdict);
    conclude(`changes, pool ${pool}, seed ${options.seed}`, verdict);
  });
}

for (const pool of poolsOf("races")) {
  const ms = portion("races");
  test(`many who write about few on ${pool} connections`, { timeout: ms + 180_000 }, async () => {
    await closePool();
    bootWith({ ALLOW_PRIVATE_WEBHOOK_TARGETS: "true" });
    const [tenant] = await createTenants();
    const events = ["contact.created", "stage.advanced", "activity.call"];
    await tenant.stage.run("createTrigger", { url: "http://127.0.0.1:9/", events, name: "Nobody" });
    const settings = { LOG_LEVEL: "debug", ALLOW_PRIVATE_WEBHOOK_TARGETS: "true" };
    const what = `races, pool ${pool}, seed ${options.seed}`;
    await played(what, { pool, settings }, (app, verdict) =>
      playRaces(ms, { app, tenant, chance: chanceOf(options.seed), verdict }),
    );
  });
}

for (const pool of poolsOf("jobs")) {
  const ms = portion("jobs");
  test(`everyone is scored, and stops end, on ${pool} connections`, { timeout: ms + 180_000 }, async () => {
    await closePool();
    bootWith();
    const [tenant] = await createTenants();
    const verdict = openVerdict();
    await playJobs(ms, { pool, tenant, chance: chanceOf(options.seed), verdict });
    conclude(`jobs, pool ${pool}, seed ${options.seed}`, verdict);
  });
}

if (options.soak > 0)
  test("memory does not grow under mixed load", { timeout: (options.soak + 5) * 60_000 }, async () => {
    await closePool();
    bootWith({ DATABASE_POOL_SIZE: "8" });
    const tenants = await createTenants();
    const { soak: minutes, seed, clients, most } = options;
    await played(`soak, seed ${seed}`, { pool: 10, ...(most ? SMALL_MACHINE : {}) }, (app, verdict) =>
      soak({ minutes, most }, chanceOf(seed), {
        app,
        tenants,
        ledger: openLedger(),
        verdict,
        effects: new Map(),
        clients,
      }),
    );
  });

function conclude(what: string, verdict: Verdict): void {
  const { text, wrongs } = verdict.report();
  console.log(`${what}: ${text}`);
  expect(wrongs, `${what}: ${text}`).toEqual({});
}
