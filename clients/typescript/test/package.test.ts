import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const read = (file: string) => JSON.parse(readFileSync(path.join(import.meta.dirname, file), "utf8"));
const [ours, nodes, app, lock] = [
  "../package.json",
  "../../n8n/package.json",
  "../../../package.json",
  "../../../package-lock.json",
].map(read);

test("clients have the server's version, and need the packages that they are tested with", () => {
  expect([ours.version, nodes.version]).toEqual([app.version, app.version]);
  for (const [name, version] of Object.entries(ours.dependencies))
    expect([name, version]).toEqual([name, lock.packages[`node_modules/${name}`].version]);
});
