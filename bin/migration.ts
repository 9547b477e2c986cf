/** `npm run migration -- <name>`: writes the SQL that takes the migrations to the schema files. For developers. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { migrate } from "#lib/db/migrate.ts";
import { driftOf } from "#lib/testing/schema/drift.fixture.ts";
import { nameOf, textOf } from "#lib/testing/schema/migration.fixture.ts";
import { onScratchDatabase } from "#lib/testing/schema/scratch.fixture.ts";
import { inProject, projectRoot } from "./project.ts";

const say = (line: string) => process.stdout.write(`${line}\n`);
const [name = ""] = process.argv.slice(2);
if (!/^[a-z][a-z0-9_]*$/.test(name)) {
  process.stderr.write("Usage: npm run migration -- <name>, a few words in snake_case\n");
  process.exit(2);
}

const steps = await onScratchDatabase(async ({ ownerUrl, adminUrl }) => {
  await migrate({ url: ownerUrl, root: projectRoot });
  return driftOf(adminUrl, projectRoot);
});
if (steps.length === 0) say("The migrations say what the schema files say; there is nothing to write.");
else {
  const entries = readdirSync(inProject("prisma/migrations"), { withFileTypes: true });
  const existing = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const folder = `prisma/migrations/${nameOf(name, existing)}`;
  mkdirSync(inProject(folder));
  writeFileSync(inProject(folder, "migration.sql"), textOf(steps));
  say(`Wrote ${folder}/migration.sql (${steps.length} statements). Read it, fill in its comments, then run the tests.`);
}
