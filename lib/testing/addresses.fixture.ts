/** The files of `components/operations`: where the browser finds each operation, as its contract says. */
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Contract } from "#lib/core/operation.ts";

const FOLDER = "components/operations";
const LINE_WIDTH = 120;

/** The files as the contracts want them: path from the root and text, one for each slice that has operations. */
export async function addressFiles(root: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const module of await pathsOf("lib/domain/*/*/contract.ts", root)) {
    const exported: Record<string, unknown> = await import(pathToFileURL(path.join(root, module)).href);
    const contracts = Object.entries(exported)
      .filter((entry): entry is [string, Contract] => isContract(entry[1]))
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    if (contracts.length === 0) continue;
    files.set(`${FOLDER}/${path.basename(path.dirname(module))}.ts`, textOf(module, contracts));
  }
  return files;
}

/** The files as they are. */
export async function currentAddressFiles(root: string): Promise<Map<string, string>> {
  const paths = await pathsOf(`${FOLDER}/*.ts`, root);
  return new Map(
    await Promise.all(paths.map(async (file) => [file, await readFile(path.join(root, file), "utf8")] as const)),
  );
}

async function pathsOf(pattern: string, root: string): Promise<string[]> {
  const addresses: string[] = [];
  for await (const file of glob(pattern, { cwd: root })) addresses.push(file.replaceAll(path.sep, "/"));
  return addresses.toSorted();
}

const isContract = (value: unknown): value is Contract =>
  typeof value === "object" && value !== null && ["name", "surface", "http", "input"].every((key) => key in value);

/** Formatted as the linter wants it. */
function textOf(module: string, contracts: readonly [name: string, contract: Contract][]): string {
  const lines = contracts.map(([name, { http }]) => {
    const call = `export const ${name} = operationAt<typeof contract.${name}>(`;
    const address = `"${http.method} ${http.path}"`;
    const line = `${call}${address});`;
    return line.length <= LINE_WIDTH ? line : `${call}\n  ${address},\n);`;
  });
  return [
    "// Written from the contracts by `npm run operations`. A change here would be lost.",
    'import { operationAt } from "#components/api.ts";',
    `import type * as contract from "#${module}";`,
    "",
    ...lines,
    "",
  ].join("\n");
}
