/**
 * Two tenants under random failure. Half a minute of it runs with the tests; `npm run torture` runs it for as long as wanted
 * (see `run.ts`). The seed is printed; TORTURE_SEED plays the same programmes again.
 */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePool } from "#lib/db/pool.ts";
import { bootWith, database } from "../database.ts";
import { createTestWorkspace } from "../workspace.fixture.ts";
import { startApp } from "./app.ts";
import { playBeside } from "./beside.ts";
import { chanceOf } from "./chance.ts";
import { playChanges } from "./changes.ts";
import { MARKS } from "./handle.ts";
import { plantMarks, playRounds } from "./handle-rounds.ts";
import { openLedger } from "./ledger.ts";
import { options, poolsOf, portion } from "./options.ts";
import { play } from "./play.ts";
import { playRaces } from "./races.ts";
import { checkRows } from "./rows.ts";
import { MOST_GROWTH, soak } from "./soak.ts";
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

for (const pool of poolsOf("operations")) {
  const ms = portion("operations");
  test(`every operation under failure on ${pool} connections`, { timeout: ms + 120_000 }, async () => {
    await closePool();
    bootWith({ DATABASE_POOL_SIZE: "8" });
    const chance = chanceOf(options.seed);
    const tenants = await createTenants();
    const app = await startApp({ pool, failing: true });
    const verdict = openVerdict();
    const on = { app, tenants, ledger: openLedger(), verdict, effects: new Map() };
    try {
      for (const { letter, stage } of tenants) on.ledger.own(letter, stage.id);
      await play(ms / 2, chance.fork(), false, on);
      await play(ms / 2, chance.fork(), true, on);
      for (const name of await app.underWay()) verdict.wrong("under way for ever", name);
    } finally {
      await app.stop();
    }
    for (const complaint of app.complaints()) verdict.wrong("unhandled rejection", complaint);
    await checkRows(on);
    conclude(`operations, pool ${pool}, seed ${options.seed}`, verdict);
  });
}

for (const pool of poolsOf("beside")) {
  const ms = portion("beside");
  test(`32 that end early beside 32 ordinary ones on ${pool} connections`, { timeout: ms + 120_000 }, async () => {
    await closePool();
    bootWith();
    const [a, b] = await createTenants();
    const [ledger, verdict] = [openLedger(), openVerdict()];
    for (const { letter, stage } of [a, b]) ledger.own(letter, stage.id);
    const app = await startApp({ pool });
    try {
      await playBeside(ms, { app, early: a, ordinary: b, ledger, verdict });
    } finally {
      await app.stop();
    }
    for (const complaint of app.complaints()) verdict.wrong("unhandled rejection", complaint);
    conclude(`beside, pool ${pool}`, verdict);
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
    await playChanges(ms, { pool, tenants, chance: chanceOf(options.seed), admin, verdict });
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
    const app = await startApp({ pool, settings });
    const verdict = openVerdict();
    try {
      await playRaces(ms, { app, tenant, chance: chanceOf(options.seed), admin, verdict });
    } finally {
      await app.stop();
    }
    for (const complaint of app.complaints()) verdict.wrong("unhandled rejection", complaint);
    conclude(`races, pool ${pool}, seed ${options.seed}`, verdict);
  });
}

if (options.soak > 0)
  test("memory does not grow under mixed load", { timeout: (options.soak + 5) * 60_000 }, async () => {
    await closePool();
    bootWith({ DATABASE_POOL_SIZE: "8" });
    const tenants = await createTenants();
    const app = await startApp({ pool: 10 });
    const verdict = openVerdict();
    try {
      const on = { app, tenants, ledger: openLedger(), verdict, effects: new Map() };
      const growth = await soak(options.soak, chanceOf(options.seed), on);
      console.log(`soak, seed ${options.seed}: ${verdict.report().text}`);
      expect(app.complaints()).toEqual([]);
      expect(growth.rss, "RSS").toBeLessThan(MOST_GROWTH);
      expect(growth.heap, "heap").toBeLessThan(MOST_GROWTH);
    } finally {
      await app.stop();
    }
  });

function conclude(what: string, verdict: Verdict): void {
  const { text, wrongs } = verdict.report();
  console.log(`${what}: ${text}`);
  expect(wrongs, `${what}: ${text}`).toEqual({});
}
