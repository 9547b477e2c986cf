/** `npm run distribute -- --url <database>`: spreads the tenants of a Citus database over its machines. Safe to run twice. */
import { parseArgs } from "node:util";
import { distribute } from "#lib/db/distributed/distribute.ts";
import { migrateDatabase } from "./migrate.ts";
import { projectRoot } from "./project.ts";

const say = (line: string) => process.stdout.write(`${line}\n`);
const usage = (why: string): never => {
  process.stderr.write(`${why}\nUsage: npm run distribute -- --url <the coordinator's database> [--shards 32]\n`);
  process.exit(2);
};

const { values } = parseArgs({ options: { url: { type: "string" }, shards: { type: "string" } } });
const url = values.url ?? process.env.DATABASE_DIRECT_URL ?? process.env.DATABASE_URL ?? usage("Which database?");
const shards = values.shards === undefined ? undefined : Number(values.shards);
if (shards !== undefined && !(Number.isInteger(shards) && shards >= 1 && shards <= 1024))
  usage("--shards is a whole number from 1 to 1024.");

try {
  process.chdir(projectRoot);
  await migrateDatabase({ url, log: say });
  const { distributed, workers } = await distribute({
    url,
    log: say,
    ...(shards === undefined ? {} : { shards }),
  });
  const machines = workers === 1 ? "1 worker" : `${workers} workers`;
  if (distributed.length === 0) say(`Every table was distributed already, over ${machines}.`);
  else say(`Distributed ${distributed.length} tables over ${machines}.`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
