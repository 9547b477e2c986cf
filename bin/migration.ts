/** `npm run migration -- <name>`: writes the SQL that leads from the migrations to the schema files. For developers. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { migrate } from "#lib/db/migrate.ts";
import { administer, onDatabase, roleOf, startServer } from "#lib/testing/postgres.ts";
import { driftOf } from "#lib/testing/schema/drift.fixture.ts";
import { nameOf, textOf } from "#lib/testing/schema/migration.fixture.ts";
import { inProject, projectRoot } from "./project.ts";

const say = (line: string) => process.stdout.write(`${line}\n`);
const [name = ""] = process.argv.slice(2);
if (!/^[a-z][a-z0-9_]*$/.test(name)) {
  process.stderr.write("Usage: npm run migration -- <name>, a few words in snake_case\n");
  process.exit(2);
}

const server = await startServer();
const scratch = `rapport_migration_${randomBytes(4).toString("hex")}`;
try {
  await administer(server.adminUrl, (client) =>
    client.query(`CREATE DATABASE ${scratch} OWNER ${roleOf(server.appUrl)}`),
  );
  await migrate({ url: onDatabase(server.appUrl, scratch), root: projectRoot });
  const steps = await driftOf(onDatabase(server.adminUrl, scratch), projectRoot);
  if (steps.length === 0) say("The migrations say what the schema files say; there is nothing to write.");
  else {
    const existing = readdirSync(inProject("prisma/migrations"), { withFileTypes: true });
    const folder = `prisma/migrations/${nameOf(
      name,
      existing.filter((entry) => entry.isDirectory()).map((entry) => entry.name),
    )}`;
    mkdirSync(inProject(folder));
    writeFileSync(inProject(folder, "migration.sql"), textOf(steps));
    say(
      `Wrote ${folder}/migration.sql (${steps.length} statements). Read it, fill in its comments, then run the tests.`,
    );
  }
} finally {
  await administer(server.adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${scratch} WITH (FORCE)`));
  await server.stop();
}
