import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Statement } from "#lib/core/context.ts";
import { declared } from "#lib/db/statement.ts";
import { insertingRows } from "#lib/domain/workspace/restore/queries.ts";

const root = path.resolve(import.meta.dirname, "../..");

const ONE_COLUMN = [{ name: "id", type: "uuid", isOptional: false }];

/** What declares statements (`lib/db/statement.ts`). */
const DECLARES = /\bsql(PlannedOnce|OfRows|OfIds)?\(/;

/** The modules that declare statements: queries of slices, and what is below them. */
const declaring = (): string[] =>
  globSync("lib/**/*.ts", { cwd: root, exclude: ["lib/testing/**", "**/*.test.ts", "**/*.fixture.ts"] }).filter(
    (file) => DECLARES.test(readFileSync(path.join(root, file), "utf8")),
  );

/** Every statement that the app declares, and one of those that the restore of a workspace puts together. */
export async function everyStatement(): Promise<readonly Statement[]> {
  for (const file of declaring()) await import(path.join(root, file));
  // Test files that ran before in this process have declared some of their own.
  const ours = declared.filter(({ name }) => !name.startsWith("test_"));
  return [...ours, insertingRows("people", ONE_COLUMN)];
}

const schema = (): string =>
  globSync("prisma/schema/*.prisma", { cwd: root })
    .map((file) => readFileSync(path.join(root, file), "utf8"))
    .join("\n");

const MODELS = /^(?:model|enum) (\w+) \{([\s\S]*?)^\}/gm;
const nameIn = (name: string, body: string): string => /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name;

/** Every table. */
export const tables = (): string[] =>
  [...schema().matchAll(MODELS)].flatMap(([text, name = "", body = ""]) =>
    text.startsWith("model") ? [nameIn(name, body)] : [],
  );

/** The tables whose rows belong to a workspace. */
export const tenantTables = (): string[] =>
  [...schema().matchAll(MODELS)].flatMap(([, name = "", body = ""]) =>
    /@map\("workspace_id"\)/.test(body) ? [nameIn(name, body)] : [],
  );

/** The enums of the database. */
export const enumNames = (): string[] =>
  [...schema().matchAll(MODELS)].flatMap(([text, name = "", body = ""]) =>
    text.startsWith("enum") ? [nameIn(name, body)] : [],
  );
