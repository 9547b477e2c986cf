/** Where a package comes from: a statement of in-toto with the provenance of SLSA, to lie beside the archive. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { inProject, projectRoot } from "./project.ts";

/** `sha256` of files, `gitCommit` of sources. */
type Described = { name?: string; uri?: string; digest: Record<string, string> };

type Build = {
  /** The files that the statement is about, beside each other. */
  products: readonly string[];
  /** The program inside the package: its files are listed one by one, as they are once it is unpacked. */
  program: string;
  began: Date;
  ended: Date;
};

export function provenanceOf({ products, program, began, ended }: Build) {
  const { commit, changed } = sourceOf();
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: products.map((file) => ({ name: path.basename(file), digest: digestOf(file) })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:rapport:npm-run-package:v1",
        externalParameters: { command: "npm run package" },
        internalParameters: { platform: process.platform, arch: process.arch, changed },
        resolvedDependencies: [
          ...(commit === null ? [] : [{ uri: "git:.", digest: { gitCommit: commit } }]),
          { uri: "file:package-lock.json", digest: digestOf(inProject("package-lock.json")) },
        ],
      },
      runDetails: {
        builder: {
          id: "urn:rapport:own-machine",
          version: { node: process.version, ...installed("next", "typescript") },
        },
        metadata: { startedOn: began.toISOString(), finishedOn: ended.toISOString() },
        byproducts: filesOf(program),
      },
    },
  };
}

const digestOf = (file: string) => ({ sha256: createHash("sha256").update(readFileSync(file)).digest("hex") });

const filesOf = (folder: string): Described[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ name: path.relative(folder, file).split(path.sep).join("/"), digest: digestOf(file) }))
    .sort((a, b) => ((a.name ?? "") < (b.name ?? "") ? -1 : 1));

/** The commit that was packed, and files that differ from it; no commit where the sources are no clone. */
function sourceOf(): { commit: string | null; changed: string[] } {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: projectRoot, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trimEnd();
  try {
    const changed = git("status", "--porcelain").split("\n").filter(Boolean);
    return { commit: git("rev-parse", "HEAD"), changed: changed.map((line) => line.slice(3)) };
  } catch {
    return { commit: null, changed: [] };
  }
}

const installed = (...names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => {
      const { version } = JSON.parse(readFileSync(inProject("node_modules", name, "package.json"), "utf8"));
      return [name, String(version)];
    }),
  );
