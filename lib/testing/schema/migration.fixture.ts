/** The text of a new migration, from the statements Prisma works out. */
import type { Step } from "./drift.fixture.ts";

/** `<time>_<name>`, after every migration there is. */
export function nameOf(name: string, existing: readonly string[], now = new Date()): string {
  const time = now.toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const last = existing.toSorted().at(-1)?.slice(0, 14) ?? "";
  return `${time > last ? time : String(Number(last) + 1)}_${name}`;
}

/** The statements, and after them what Prisma cannot say: row level security of tenant tables, a comment on each index. */
export function textOf(steps: readonly Step[]): string {
  const statements = steps.map(({ what, sql }) => `-- ${what}\n${sql}\n`);
  const script = steps.map(({ sql }) => sql).join("\n");
  const tables = [...script.matchAll(/^CREATE TABLE "([^"]+)" \(([\s\S]*?)^\);/gm)];
  const tenants = tables
    .filter(([, , body = ""]) => body.includes('"workspace_id"'))
    .map(([, table]) => table as string);
  const secured = tenants.map((table) =>
    [
      `ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY;`,
      `ALTER TABLE "${table}" FORCE ROW LEVEL SECURITY;`,
      `CREATE POLICY tenant ON "${table}" USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace());\n`,
    ].join("\n"),
  );
  const indexes = [...script.matchAll(/^CREATE (?:UNIQUE )?INDEX "([^"]+)"/gm)].map(
    ([, index]) => `COMMENT ON INDEX "${index}" IS ''; -- say which query it serves: the catalog test asks\n`,
  );
  return [...statements, ...secured, ...indexes].join("\n");
}
