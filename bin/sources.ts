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

/** Only tests read what is in it, and some install packages there. */
const folderOfTests = inProject("lib/testing");

function filesOf(source: string): string[] {
  const at = inProject(source);
  const stats = statSync(at, { throwIfNoEntry: false });
  if (!stats) return [];
  return stats.isFile() ? [at] : filesIn(at).sort();
}

function filesIn(folder: string): string[] {
  if (folder === folderOfTests || path.basename(folder) === "node_modules") return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(at);
    return entry.isFile() && !isTest(entry.name) ? [at] : [];
  });
}
