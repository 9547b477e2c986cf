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

/** What the version before cannot bear of a statement about what it knows, while both run on one database. */
const taking: readonly RegExp[] = [
  // What it reads, or relies on: of an index that its ON CONFLICT names, too.
  /\bDROP (TABLE|COLUMN|TYPE|VIEW|FUNCTION|SCHEMA|INDEX|CONSTRAINT|DEFAULT)\b/i,
  /\bRENAME\b/i,
  /\bALTER COLUMN \S+ (SET DATA )?TYPE\b/i,
  // Values that it does not expect.
  /\bDROP NOT NULL\b/i,
  /\bADD VALUE\b/i,
  // Rows that it writes.
  /\bSET NOT NULL\b/i,
  /\bADD (CONSTRAINT|PRIMARY KEY|UNIQUE|CHECK|FOREIGN KEY|EXCLUDE)\b/i,
  /\bCREATE UNIQUE INDEX\b/i,
  /\bCREATE (OR REPLACE )?(CONSTRAINT )?TRIGGER\b/i,
  /(?<!\bNO )\b(ENABLE|FORCE) ROW LEVEL SECURITY\b/i,
  /^REVOKE\b/i,
];
/** A column that its rows do not have. */
const demands = (text: string): boolean =>
  [...text.matchAll(/\bADD COLUMN [^,;]*/gi)].some(
    ([column]) => /NOT NULL/i.test(column) && !/DEFAULT|GENERATED/i.test(column),
  );

/** The table, the type or the index that a statement is about. */
const subjectOf = (text: string): string | undefined =>
  /\b(?:ALTER|DROP) (?:TABLE|TYPE|INDEX) (?:IF EXISTS )?(?:ONLY )?"?(\w+)/i.exec(text)?.[1] ??
  /\bON (?:ONLY )?"?(\w+)/i.exec(text)?.[1];

/**
 * What scripts take from the version before them, while both run on one database: what that reads, rows that it writes, and
 * values that it does not expect. It knows nothing of what the scripts create themselves.
 */
export function takenBy(scripts: readonly string[]): string[] {
  const commands = scripts.flatMap(statementsIn).map((text) => text.replace(/^(--[^\n]*\n|\s)+/, ""));
  const created = new Set(
    commands.flatMap(
      (text) => /^CREATE (?:TABLE|TYPE|(?:UNIQUE )?INDEX) (?:IF NOT EXISTS )?"?(\w+)/i.exec(text)?.[1] ?? [],
    ),
  );
  return commands
    .filter((text) => taking.some((form) => form.test(text)) || demands(text))
    .filter((text) => !created.has(subjectOf(text) ?? ""))
    .map((text) => text.replaceAll(/\s+/g, " ").slice(0, 120));
}
