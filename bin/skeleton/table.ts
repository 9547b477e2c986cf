/** Reads what a skeleton needs to know about a table from the Prisma schema files. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export type Table = {
  /** as in SQL: saved_views */
  name: string;
  /** of one row: SavedView */
  model: string;
  /** it has a column created_at */
  dated: boolean;
};

/** The tables of tenants whose rows have an id of their own, by name. */
export function tablesOf(root: string): Table[] {
  const folder = path.join(root, "prisma/schema");
  const text = readdirSync(folder)
    .filter((file) => file.endsWith(".prisma"))
    .map((file) => readFileSync(path.join(folder, file), "utf8"))
    .join("\n");
  const tables = [...text.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].flatMap(([, model = "", body = ""]) => {
    const name = /@@map\("(\w+)"\)/.exec(body)?.[1];
    const fits = body.includes("@@id([workspaceId, id])") && /^\s+id\s+String\s.*@db\.Uuid/m.test(body);
    return name && fits ? [{ name, model, dated: /@map\("created_at"\)/.test(body) }] : [];
  });
  return tables.sort((a, b) => (a.name < b.name ? -1 : 1));
}
