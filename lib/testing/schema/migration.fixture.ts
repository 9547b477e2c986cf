/** The text of a new migration, from the statements Prisma works out. */
import { statementsIn } from "#lib/db/script.ts";
import type { Step } from "./drift.fixture.ts";

/** `<time>_<name>`, after every migration there is. */
export function nameOf(name: string, existing: readonly string[], now = new Date()): string {
  const time = now.toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const last = existing.toSorted().at(-1)?.slice(0, 14) ?? "";
  return `${time > last ? time : String(Number(last) + 1)}_${name}`;
}

/**
 * The statements, with what Prisma cannot express: that a new table belongs to tenants, before foreign keys need to
 * know where its rows are; and a comment on each index.
 */
export function textOf(steps: readonly Step[]): string {
  const statements = steps.map(({ what, sql }) => {
    const tenants = tablesIn(sql).filter(({ isTenant }) => isTenant);
    const made = tenants.map(({ table }) => `SELECT rapport_tenant_table('"${table}"');\n`);
    return [`-- ${what}\n${sql}\n`, ...made].join("");
  });
  const script = steps.map(({ sql }) => sql).join("\n");
  const indexes = [...script.matchAll(/^CREATE (?:UNIQUE )?INDEX "([^"]+)"/gm)].map(
    ([, index]) => `COMMENT ON INDEX "${index}" IS ''; -- say which query it serves: the catalog test asks\n`,
  );
  return [...statements, ...indexes].join("\n");
}

/** The tables that a script creates. */
const tablesIn = (script: string) =>
  [...script.matchAll(/^CREATE TABLE "([^"]+)" \(([\s\S]*?)^\);?/gm)].map(([statement, table = "", body = ""]) => ({
    table,
    statement,
    isTenant: body.includes('"workspace_id"'),
  }));

/** What a database that is spread over several machines would refuse of a migration. */
export function refusedOf(script: string): string[] {
  const statements = statementsIn(script);
  const refused: string[] = [];
  for (const { table, statement } of tablesIn(script).filter(({ isTenant }) => isTenant)) {
    if (/\bREFERENCES\b/.test(statement)) refused.push(`${table} is created with a foreign key`);
    const said = statements.findIndex(
      (text) => /rapport_(tenant|access)_table\('"(\w+)"'\)$/.exec(text)?.[2] === table,
    );
    const keyed = statements.findIndex(
      (text) => text.includes(`ALTER TABLE "${table}"`) && /\bREFERENCES\b/.test(text),
    );
    if (said < 0) refused.push(`${table} is not given to rapport_tenant_table`);
    else if (keyed >= 0 && keyed < said) refused.push(`${table} has a foreign key before it is a tenant table`);
  }
  for (const text of statements) {
    const command = text.replace(/^(--[^\n]*\n|\s)+/, "");
    const changes = [...command.matchAll(/\b(ADD|DROP|ALTER) (COLUMN|CONSTRAINT)\b/g)].map(([change]) => change);
    if (command.startsWith("ALTER TABLE") && changes.length > 1 && changes.includes("ADD CONSTRAINT"))
      refused.push(`a constraint is added beside other changes: ${command.slice(0, 60)}`);
  }
  return refused;
}

/** What a script takes from the release before it, while both run on one database: what that reads, or rows that it writes. */
export function takenBy(script: string): string[] {
  const commands = statementsIn(script).map((text) => text.replace(/^(--[^\n]*\n|\s)+/, ""));
  const taking =
    /\bDROP (TABLE|COLUMN|TYPE|VIEW|FUNCTION|SCHEMA)\b|\bRENAME\b|\bSET NOT NULL\b|\bALTER COLUMN \S+ (SET DATA )?TYPE\b/i;
  const demands = (text: string): boolean =>
    [...text.matchAll(/\bADD COLUMN [^,;]*/gi)].some(
      ([column]) => /NOT NULL/i.test(column) && !/DEFAULT|GENERATED/i.test(column),
    );
  return commands
    .filter((text) => taking.test(text) || demands(text))
    .map((text) => text.replaceAll(/\s+/g, " ").slice(0, 120));
}
