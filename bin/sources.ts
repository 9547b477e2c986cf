import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { inProject, projectRoot } from "./project.ts";

/** Hash of these files and folders. Depends on names and contents only, so a copied or freshly cloned tree keeps it. */
export function hashOf(sources: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(filesOf)) {
    hash.update(`${path.relative(projectRoot, file)}\0`);
    hash.update(readFileSync(file));
    hash.update("\0");
  }
  return hash.digest("hex");
}

const isTest = (file: string) => /\.(test|spec|fixture)\.tsx?$|\.md$/.test(file);

function filesOf(source: string): string[] {
  const at = inProject(source);
  const stats = statSync(at, { throwIfNoEntry: false });
  if (!stats) return [];
  if (stats.isFile()) return [at];
  return readdirSync(at, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !isTest(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
