import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const app = join(root, "app");
const pages = readdirSync(app, { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)page\.tsx$/.test(file))
  .map((file) => join(app, file));

/** The modules a file imports for the browser, ours as paths. */
function imports(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name = ""]) => name);
  return found.map((name) => {
    if (name.startsWith("#components/")) return join(root, name.slice(1));
    return name.startsWith(".") ? join(dirname(file), name) : name;
  });
}

function usesNuqs(file: string, seen: Set<string>): boolean {
  if (seen.has(file) || !/\.tsx?$/.test(file) || !existsSync(file)) return false;
  seen.add(file);
  return imports(file).some((each) => each === "nuqs" || usesNuqs(each, seen));
}

it.each(pages.filter((page) => usesNuqs(page, new Set())))("%s wraps itself in the nuqs adapter", (page) => {
  expect(readFileSync(page, "utf8")).toContain("<NuqsAdapter>");
});
