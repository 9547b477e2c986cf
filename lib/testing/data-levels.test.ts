/** `docs/security/data.md` has a level for each table, and each secret is stored and exported as it says. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encryptedColumns } from "#lib/domain/encrypted-columns.ts";
import { tenantTables } from "#lib/domain/workspace/privacy/rules.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/security/data.md"), "utf8");
const section = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
const named = (text: string): string[] => [...text.matchAll(/`([a-z_.]+)`/g)].map(([, name = ""]) => name);

/** The columns of the database, as `table.column`. */
const columns = readFileSync(join(root, "prisma/objects.txt"), "utf8")
  .split("\n")
  .map((line) => line.split("\t"))
  .filter(([kind]) => kind === "column")
  .map(([, table, column]) => ({ table: table as string, name: `${table}.${column}` }));

const secrets = new Map(
  [...section("Secrets").matchAll(/^\| `([a-z_.]+)` \| [^|]+ \| ([^|]+) \|$/gm)].map(([, name = "", how = ""]) => [
    name,
    how,
  ]),
);

test("each table of the database has one level, and no other has", () => {
  const rows = section("Tables")
    .split("\n")
    .filter((line) => /^\| (secret|personal|internal|technical) \|/.test(line));
  expect(rows).toHaveLength(4);
  expect(rows.flatMap(named).sort()).toEqual([...new Set(columns.map(({ table }) => table))].sort());
});

test("each column that looks like a secret is one, or is said not to be", () => {
  const looks = /\.(\w*_)?(hash|secret|password|credentials?|token|code|key|digests?|challenge)(_\w+)?$/;
  const harmless = named(
    section("Secrets")
      .split("\n")
      .filter((line) => !line.startsWith("|"))
      .join("\n"),
  ).filter((name) => columns.some((column) => column.name === name));
  const all = [...secrets.keys(), ...harmless];
  const ordinary = new Set([
    "triggers.old_secret_until",
    "users.password_changed_at",
    "inbound_refusals.code",
    "connections.credentials_end_at",
  ]);
  const unknown = columns.filter(({ name }) => looks.test(name) && !ordinary.has(name) && !all.includes(name));
  expect(unknown).toEqual([]);
  expect(all.filter((name) => !columns.some((column) => column.name === name))).toEqual([]);
});

test("a secret is sealed exactly where the page says so, and a hash elsewhere", () => {
  const sealed = encryptedColumns.map(({ table, column }) => `${table}.${column}`);
  for (const [name, how] of secrets) expect([name, sealed.includes(name)]).toEqual([name, how === "sealed"]);
  // Sealed, and no secrets by themselves: two may hold one, and what a mail or meeting says is its member's.
  const more = ["approvals.input", "idempotency.body", "meeting_copies.content", "messages.content"];
  expect(sealed.filter((name) => !secrets.has(name)).sort()).toEqual(more);
});

test("no secret is in an export", () => {
  for (const name of secrets.keys()) {
    const [table, column] = name.split(".") as [string, string];
    const left = tenantTables.find((each) => each.name === table)?.left;
    const isOfTenant = tenantTables.some((each) => each.name === table);
    const isLeft = left !== undefined && ("whole" in left || left.columns.includes(column));
    expect([name, isOfTenant && !isLeft]).toEqual([name, false]);
  }
});

test("each file that the page names is there", () => {
  const files = [...page.matchAll(/`((?:lib|docs|bin)\/[\w./-]+)`/g)].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) expect(() => readFileSync(join(root, file)), file).not.toThrow(/ENOENT/);
});
