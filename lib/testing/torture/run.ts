/**
 * `npm run torture`: two tenants, a pool of few connections, and every failure we can cause, for as long as wanted.
 *
 *   npm run torture                          every part; those that play take a minute, on 1, 2 and 3 connections (races on 16)
 *   npm run torture -- --minutes 10          longer
 *   npm run torture -- --pool 1              on so many connections only
 *   npm run torture -- --part handle         one part: handle, operations, beside, changes, races, jobs, rolling, values, kills or mail
 *   npm run torture -- --seed 42             what a failing run did, again (it prints its seed)
 *   npm run torture -- --soak 10             minutes of mixed load; fails when memory grows by 3 % after the first third
 *   npm run torture -- --soak 10 --clients 32 --most 450   with so many clients; fails when the process, without pages and as on a
 *                                            machine of 1 GB, takes more than so many MB
 *
 * The part `kills` kills apps and databases twenty times in each of the tests that do so twice (half an hour); the part `mail` does it during the first sync of 20,000 messages from Dovecot and 2,000 events from Radicale. The part `values` sends every operation every hostile value at every place (some 77,000 requests, several minutes),
 * of which the tests send a few.
 *
 * A seed decides what is done and where it fails. When things happen at the same time their order varies, so a rare
 * failure may need the seed several times: `--minutes` with it. For the part `handle` the seed printed is that of the round
 * that failed, which lasts a second.
 */
import { spawn } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";
import { parts } from "./options.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const text = { type: "string" } as const;
const { values } = parseArgs({
  options: { minutes: text, seed: text, pool: text, part: text, soak: text, clients: text, most: text },
});

/** The parts that are not played for a time: tests of `lib/testing/conformance` with all values, and `kill.int.test.ts` with more kills. */
const [VALUES, KILLS, MAIL] = ["values", "kills", "mail"];
/** Empties the database of its test file, so it has one of its own. */
const ROLLING = "rolling";

const all: readonly string[] = [...parts, VALUES, KILLS, MAIL];
const chosen = values.part?.split(",") ?? (values.soak === undefined ? all : []);
const unknown = chosen.find((name) => !all.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`There is no part ${unknown}; the parts are ${all.join(", ")}.\n`);
  process.exit(2);
}
for (const name of ["minutes", "seed", "pool", "soak", "clients", "most"] as const)
  if (values[name] !== undefined && !(Number(values[name]) > 0)) {
    process.stderr.write(`--${name} is a number greater than 0.\n`);
    process.exit(2);
  }

const { minutes, seed, pool, soak, clients, most } = values;
const played = chosen.filter((name) => ![VALUES, KILLS, MAIL].includes(name));
const wanted = {
  TORTURE_MINUTES: minutes,
  TORTURE_SEED: seed,
  TORTURE_POOL: pool,
  TORTURE_PARTS: chosen.length > 0 ? played.join(",") : undefined,
  TORTURE_SOAK: soak,
  TORTURE_CLIENTS: clients,
  TORTURE_MOST: most,
  TORTURE_VALUES: chosen.includes(VALUES) ? "all" : undefined,
  TORTURE_KILLS: chosen.includes(KILLS) || chosen.includes(MAIL) ? "20" : undefined,
};
const settings = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
const files = [
  ...(played.some((name) => name !== ROLLING) || soak !== undefined ? ["lib/testing/torture/torture.int.test.ts"] : []),
  ...(played.includes(ROLLING) ? ["lib/testing/torture/rolling.int.test.ts"] : []),
  ...(chosen.includes(VALUES) ? ["lib/testing/conformance/generated"] : []),
  ...(chosen.includes(KILLS) ? ["kill.int.test.ts"] : chosen.includes(MAIL) ? ["mailboxes/kill.int.test.ts"] : []),
];
const child = spawn(process.execPath, [vitest, "run", "--configLoader=native", "--project", "integration*", ...files], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, ...settings },
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
