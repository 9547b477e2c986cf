/**
 * `npm run operations`: writes the browser's files for each operation, after a contract was added or moved. For
 * developers.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { addressFiles, currentAddressFiles } from "#lib/testing/addresses.fixture.ts";
import { inProject, projectRoot } from "./project.ts";

const say = (line: string) => process.stdout.write(`${line}\n`);
const [wanted, current] = await Promise.all([addressFiles(projectRoot), currentAddressFiles(projectRoot)]);

mkdirSync(inProject("components/operations"), { recursive: true });
for (const [file, text] of wanted) {
  if (current.get(file) === text) continue;
  writeFileSync(inProject(file), text);
  say(`wrote ${file}`);
}
for (const file of current.keys()) {
  if (wanted.has(file)) continue;
  rmSync(inProject(file));
  say(`removed ${file}`);
}
say(`${wanted.size} files say where the operations are.`);
