import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { openApiDocument } from "#lib/openapi/document.ts";
import { callers } from "./callers.ts";

const run = promisify(execFile);
const root = process.cwd();

/** Compiles like a project that takes no short cut: libraries are checked too. */
const settings = {
  compilerOptions: {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    target: "es2023",
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
  },
  include: ["**/*.ts"],
};

/** Generates both clients for a test file, with a program for each beside them. */
export function useClients() {
  let folder = "";
  const node = (...args: string[]) => run(process.execPath, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  beforeAll(async () => {
    mkdirSync(path.join(root, "test-results"), { recursive: true });
    folder = mkdtempSync(path.join(root, "test-results", "clients-")); // inside, so that imports find our packages
    const source = path.join(folder, "openapi.json");
    writeFileSync(source, JSON.stringify(openApiDocument("https://rapport.example.org")));
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(settings));
    for (const [file, text] of Object.entries(callers)) writeFileSync(path.join(folder, file), text);
    await node("lib/testing/clients/generate.ts", source, folder);
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  return {
    path: (file: string): string => path.join(folder, file),
    /** What the compiler has to say; empty when nothing. */
    compile: (): Promise<string> =>
      node("node_modules/typescript/bin/tsc", "--project", folder).then(
        ({ stdout }) => stdout,
        (error: { stdout: string; message: string }) => error.stdout || error.message,
      ),
    /** Runs one of the programs against a server. */
    async call(program: keyof typeof callers, url: string, key: string): Promise<Record<string, unknown>> {
      const { stdout } = await node(path.join(folder, program), url, key);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
  };
}
