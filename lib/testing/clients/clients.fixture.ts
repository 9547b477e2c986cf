import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { openApiDocument } from "#lib/openapi/document.ts";
import { callers } from "./callers.ts";

const run = promisify(execFile);
const root = process.cwd();

/** Compiles like a project that takes no short cut: libraries are checked too. */
const { compilerOptions } = JSON.parse(readFileSync(path.join(root, "clients/check/tsconfig.json"), "utf8"));
const settings = { compilerOptions: { ...compilerOptions, allowImportingTsExtensions: true }, include: ["**/*.ts"] };

/** What types of Node our client's dependency names, for a compiler that has none. */
const ofNode = "interface Buffer extends Uint8Array {}\n";

/** The examples of a page about our client, as one program. */
function examplesOf(page: string): string {
  const text = readFileSync(path.join(root, page), "utf8");
  const code = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = ""]) => block).join("\n");
  const imports = code
    .replace('"@rapport/client"', '"./rapport/index.ts"')
    .replace(/"@rapport\/client\/(\w+)"/g, '"./rapport/$1.ts"');
  return `declare const process: { env: Record<string, string | undefined> };\n${imports}`;
}

/** Makes the clients for a test file, with a program for each beside them. */
export function useClients() {
  let folder = "";
  let nodes = ""; // apart: the compiler has no types of n8n
  const programs: Record<string, string> = {
    ...callers,
    "readme.ts": examplesOf("clients/typescript/README.md"),
    "guide.ts": examplesOf("docs/guide/clients.md"),
    "node.d.ts": ofNode,
  };
  const node = (...args: string[]) => run(process.execPath, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  beforeAll(async () => {
    mkdirSync(path.join(root, "test-results"), { recursive: true });
    folder = mkdtempSync(path.join(root, "test-results", "clients-")); // inside, so that imports find our packages
    const source = path.join(folder, "openapi.json");
    writeFileSync(source, JSON.stringify(openApiDocument("https://rapport.example.org")));
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(settings));
    for (const [file, text] of Object.entries(programs)) writeFileSync(path.join(folder, file), text);
    cpSync(path.join(root, "clients/typescript/src"), path.join(folder, "rapport"), { recursive: true });
    await Promise.all([
      node("clients/generate/typescript.ts", source, path.join(folder, "rapport/schema.ts")),
      node("lib/testing/clients/generate.ts", source, folder),
    ]);
    nodes = mkdtempSync(path.join(root, "test-results", "n8n-"));
    cpSync(path.join(root, "clients/n8n"), nodes, {
      recursive: true,
      filter: (file) => !file.endsWith("package.json"),
    });
    await node("clients/generate/n8n.ts", source, path.join(nodes, "nodes/Rapport/actions.ts"));
  });
  afterAll(() => {
    for (const made of [folder, nodes]) rmSync(made, { recursive: true, force: true });
  });

  return {
    path: (file: string): string => path.join(folder, file),
    /** What the compiler has to say; empty when nothing. */
    compile: (): Promise<string> =>
      node("node_modules/typescript/bin/tsc", "--project", folder).then(
        ({ stdout }) => stdout,
        (error: { stdout: string; message: string }) => error.stdout || error.message,
      ),
    /** Runs one of the programs against a server. */
    async call(program: keyof typeof callers, url: string, ...keys: string[]): Promise<Record<string, unknown>> {
      const { stdout } = await node(path.join(folder, program), url, ...keys);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    /** Runs the nodes for n8n against a server. */
    async callInN8n(url: string, key: string): Promise<Record<string, unknown>> {
      const { stdout } = await node("lib/testing/clients/in-n8n.ts", nodes, url, key);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    /** Runs the examples of the README against a server, and gives what they print. */
    async runReadme(url: string, key: string): Promise<string> {
      const env = { ...process.env, RAPPORT_URL: url, RAPPORT_API_KEY: key };
      return (await run(process.execPath, [path.join(folder, "readme.ts")], { cwd: root, env })).stdout;
    },
  };
}
