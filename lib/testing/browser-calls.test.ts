import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { accountOperations, operations } from "#lib/registry.ts";

const called = /operationAt<typeof (?:\w+\.)?(\w+)>\(\s*"([^"]+)"/g;

test("every operationAt names the address of its contract", async () => {
  const known = new Map(
    [...operations, ...accountOperations].map(({ contract: { name, http } }) => [name, `${http.method} ${http.path}`]),
  );
  const wrong: string[] = [];
  for await (const file of glob("{app,components}/**/*.{ts,tsx}")) {
    if (file === "components/api.ts") continue;
    for (const [, name = "", address] of (await readFile(file, "utf8")).matchAll(called)) {
      if (known.get(name) !== address) wrong.push(`${file}: ${name} is at ${known.get(name)}, not ${address}`);
    }
  }
  expect(wrong).toEqual([]);
});
