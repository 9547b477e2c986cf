import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Callable } from "#components/api.ts";
import { operations, userOperations } from "#lib/registry.ts";
import { addressFiles, currentAddressFiles } from "./addresses.fixture.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("components/operations says what the contracts say (otherwise: npm run operations)", async () => {
  const [wanted, current] = await Promise.all([addressFiles(root), currentAddressFiles(root)]);
  expect(Object.fromEntries(current)).toEqual(Object.fromEntries(wanted));
});

test("the browser finds every operation under its name", async () => {
  const found = new Map<string, string>();
  for (const file of (await currentAddressFiles(root)).keys()) {
    const exported: Record<string, Callable<never, never>> = await import(`${root}${file}`);
    for (const [name, { http }] of Object.entries(exported)) found.set(name, `${http.method} ${http.path}`);
  }
  const known = [...operations, ...userOperations].map(({ contract }) => contract);
  expect(known.filter(({ name, http }) => found.get(name) !== `${http.method} ${http.path}`)).toEqual([]);
});
