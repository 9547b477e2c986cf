import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const read = (file: string) => JSON.parse(readFileSync(path.join(import.meta.dirname, file), "utf8"));
const [ours, app, lock] = ["../package.json", "../../../package.json", "../../../package-lock.json"].map(read);

test("the client has the server's version, and needs the packages that it is tested with", () => {
  expect(ours.version).toBe(app.version);
  for (const [name, version] of Object.entries(ours.dependencies))
    expect([name, version]).toEqual([name, lock.packages[`node_modules/${name}`].version]);
});
