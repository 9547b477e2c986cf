import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { allowed } from "./structure/allowed.ts";
import { type Finding, type Rule, rules } from "./structure/rules.ts";
import { readTree, type SourceFile, sourceFile } from "./structure/tree.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const house = readTree(root);

const excuses = (rule: Rule, finding: Finding) =>
  allowed.filter(
    ({ rule: name, file, what }) => name === rule.name && file === finding.file && (!what || finding.what === what),
  );

describe("the house", () => {
  test("is read whole", () => {
    expect(house.length).toBeGreaterThan(10);
    expect(house.some(({ imports }) => imports.length > 0)).toBe(true);
  });

  for (const rule of rules) {
    test(rule.name, () => {
      const findings = rule.find(house).filter((finding) => excuses(rule, finding).length === 0);
      const lines = findings.map(({ file, what }) => `${file} ${what}`);
      expect(lines, `Rule: ${rule.name}\nWhy:  ${rule.why}.`).toEqual([]);
    });
  }

  test("has no exception without use or reason", () => {
    const idle = allowed.filter(({ rule, file, what, reason }) => {
      const found = rules.find(({ name }) => name === rule)?.find(house) ?? [];
      return reason.length < 20 || !found.some((finding) => finding.file === file && (!what || finding.what === what));
    });
    expect(idle, "these entries of structure/allowed.ts excuse nothing, or say too little").toEqual([]);
  });
});

/** Trees that break exactly one rule each, so that a rule which can no longer fail is noticed. */
const broken: [rule: string, files: Record<string, string>, finding: string][] = [
  [
    "lib/core imports nothing of ours but lib/text and lib/settings",
    { "lib/core/a.ts": 'import { b } from "#lib/db/b.ts";' },
    "lib/core/a.ts imports #lib/db/b.ts",
  ],
  [
    "lib/core holds at most 30 files",
    Object.fromEntries(Array.from({ length: 31 }, (_, place) => [`lib/core/file-${place}.ts`, "export const a = 1;"])),
    "lib/core holds 31",
  ],
  [
    "rooms of lib use only the levels below them",
    { "lib/db/migrate.ts": 'import { migrateQueue } from "#lib/jobs/schema.ts";' },
    "lib/db/migrate.ts imports #lib/jobs/schema.ts",
  ],
  [
    "rooms of lib use only the levels below them",
    { "lib/providers/a.ts": 'import type { Db } from "#lib/db/transaction.ts";' },
    "lib/providers/a.ts imports #lib/db/transaction.ts",
  ],
  [
    "rooms of lib use only the levels below them",
    { "lib/auth/a.ts": 'import { b } from "#lib/attic/b.ts";' },
    "lib/auth/a.ts imports #lib/attic/b.ts",
  ],
  [
    "lib/domain imports no framework, environment or transport",
    { "lib/domain/knowledge/notes/service.ts": 'import {\n  cookies,\n} from "next/headers";' },
    "lib/domain/knowledge/notes/service.ts imports next/headers",
  ],
  [
    "lib/domain imports no framework, environment or transport",
    { "lib/domain/knowledge/notes/service.ts": 'import type { Request } from "#lib/http/request.ts";' },
    "lib/domain/knowledge/notes/service.ts imports #lib/http/request.ts",
  ],
  [
    "lib/domain imports no framework, environment or transport",
    { "lib/domain/knowledge/notes/service.ts": 'import { readEnv } from "#lib/settings/env.ts";' },
    "lib/domain/knowledge/notes/service.ts imports #lib/settings/env.ts",
  ],
  [
    "lib/domain and components read no environment variable",
    { "lib/domain/knowledge/notes/rules.ts": "export const limit = process.env.LIMIT;" },
    "lib/domain/knowledge/notes/rules.ts says `process.env`",
  ],
  [
    "no type is called by a participle alone",
    { "components/board/a.ts": "export type Held = { id: string };" },
    "components/board/a.ts says `type Held`",
  ],
  [
    "entities and identifiers are locked by recording",
    { "lib/domain/crm/leads/service.ts": "await lockEntities(ctx.db, ids);" },
    "lib/domain/crm/leads/service.ts says `lockEntities`",
  ],
  [
    "lib imports neither app nor components",
    { "lib/auth/session.ts": 'import { Form } from "#components/ui/form.tsx";' },
    "lib/auth/session.ts imports #components/ui/form.tsx",
  ],
  ["lib holds no JSX", { "lib/auth/mail.tsx": "export const mail = 1;" }, "lib/auth/mail.tsx is a .tsx file"],
  [
    "components import only components, lib/core, lib/text, contracts and words",
    { "components/people/table.tsx": 'import { listPeople } from "#lib/domain/crm/people/service.ts";' },
    "components/people/table.tsx imports #lib/domain/crm/people/service.ts",
  ],
  [
    "components/ui imports no other area and no domain word",
    { "components/ui/button.tsx": 'import { Person } from "#lib/domain/crm/people/contract.ts";' },
    "components/ui/button.tsx imports #lib/domain/crm/people/contract.ts",
  ],
  [
    "components take the addresses of operations from components/operations",
    { "components/people/calls.ts": "fetch(`/api/app/1/v2/people`);" },
    "components/people/calls.ts says `/api/app`",
  ],
  [
    "components take the addresses of operations from components/operations",
    { "components/people/calls.ts": "const list = operationAt<typeof contract.listPeople>(address);" },
    "components/people/calls.ts says `operationAt`",
  ],
  [
    "components take the addresses of operations from components/operations",
    { "components/people/example.tsx": "const code = `curl $HOST/v2/people`;" },
    "components/people/example.tsx says `/v2`",
  ],
  [
    "parts that open on demand are made by ui/on-demand.tsx",
    { "components/people/people-list.tsx": 'import dynamic from "next/dynamic";' },
    "components/people/people-list.tsx imports next/dynamic",
  ],
  [
    "lib/providers imports neither the database nor the domain",
    { "lib/providers/calendly/client.ts": 'import { getPool } from "#lib/db/pool.ts";' },
    "lib/providers/calendly/client.ts imports #lib/db/pool.ts",
  ],
  [
    "what calls other machines looks up names with lib/providers/checked-lookup.ts",
    { "lib/domain/workspace/workspaces/service/icon.ts": "const icon = await fetch(website);" },
    "lib/domain/workspace/workspaces/service/icon.ts says `fetch(`",
  ],
  [
    "what calls other machines looks up names with lib/providers/checked-lookup.ts",
    { "lib/providers/icons/client.ts": 'import { request } from "node:https";' },
    'lib/providers/icons/client.ts says `import { request } from "node:https";`',
  ],
  [
    "transports do not import the database",
    { "lib/http/route.ts": 'import { withWorkspace } from "#lib/db/transaction.ts";' },
    "lib/http/route.ts imports #lib/db/transaction.ts",
  ],
  [
    "transports do not import the database",
    { "lib/oauth/token.ts": 'import { sql } from "#lib/db/statement.ts";' },
    "lib/oauth/token.ts imports #lib/db/statement.ts",
  ],
  [
    "transports do not import the database",
    { "app/healthz/route.ts": 'const { getPool } = await import("#lib/db/pool.ts");' },
    "app/healthz/route.ts imports #lib/db/pool.ts",
  ],
  [
    "slices are entered through contract.ts, service.ts, events.ts or words.ts, by the worker through jobs.ts",
    { "lib/domain/records/facts/service.ts": 'import { findNote } from "#lib/domain/knowledge/notes/queries.ts";' },
    "lib/domain/records/facts/service.ts imports #lib/domain/knowledge/notes/queries.ts",
  ],
  [
    "slices are entered through contract.ts, service.ts, events.ts or words.ts, by the worker through jobs.ts",
    { "app/page.tsx": 'import { isCurrent } from "#lib/domain/records/facts/rules.ts";' },
    "app/page.tsx imports #lib/domain/records/facts/rules.ts",
  ],
  [
    "slices are entered through contract.ts, service.ts, events.ts or words.ts, by the worker through jobs.ts",
    { "lib/domain/knowledge/notes/contract.ts": 'import { Person } from "#lib/domain/crm/people/contract/person.ts";' },
    "lib/domain/knowledge/notes/contract.ts imports #lib/domain/crm/people/contract/person.ts",
  ],
  [
    "slices are entered through contract.ts, service.ts, events.ts or words.ts, by the worker through jobs.ts",
    { "app/page.tsx": 'import { saveFact } from "#lib/domain/records/facts/service/save.ts";' },
    "app/page.tsx imports #lib/domain/records/facts/service/save.ts",
  ],
  [
    "slices are entered through contract.ts, service.ts, events.ts or words.ts, by the worker through jobs.ts",
    { "lib/http/front.ts": 'import { jobs } from "#lib/domain/records/facts/jobs.ts";' },
    "lib/http/front.ts imports #lib/domain/records/facts/jobs.ts",
  ],
  [
    "a write through Prisma selects what it returns",
    {
      "lib/domain/knowledge/notes/queries.ts":
        "await db.prisma.note.update({ where, data });\nawait db.prisma.note.find({ select });",
    },
    "lib/domain/knowledge/notes/queries.ts says `prisma.note.update(`",
  ],
  [
    "advisory locks are taken through lib/db/locks.ts",
    {
      "lib/domain/knowledge/notes/queries.ts":
        'const take = sql("take", "SELECT pg_advisory_xact_lock(1) FROM notes");',
    },
    "lib/domain/knowledge/notes/queries.ts says `pg_advisory_xact_lock`",
  ],
  [
    "areas of lib/domain use only the areas below them",
    { "lib/domain/records/facts/service.ts": 'import { listPeople } from "#lib/domain/crm/people/service.ts";' },
    "lib/domain/records/facts/service.ts imports #lib/domain/crm/people/service.ts",
  ],
  [
    "areas of lib/domain use only the areas below them",
    { "lib/domain/misplaced/facts/service.ts": 'import { newId } from "#lib/core/ids.ts";' },
    "lib/domain/misplaced/facts/service.ts imports #lib/core/ids.ts",
  ],
  [
    "files of a slice have fixed names",
    { "lib/domain/records/facts/logic.ts": "" },
    "lib/domain/records/facts/logic.ts is not one of the names",
  ],
  [
    "slices depend on each other without cycles",
    {
      "lib/domain/records/facts/service.ts": 'import { resolve } from "#lib/domain/records/entities/service.ts";',
      "lib/domain/records/entities/events.ts": 'import { saved } from "#lib/domain/records/facts/events.ts";',
    },
    "lib/domain/records/facts is in the cycle records/facts → records/entities → records/facts",
  ],
  [
    "slices depend on each other without cycles",
    {
      "lib/domain/records/facts/contract.ts": 'import { Id } from "#lib/domain/records/entities/contract.ts";',
      "lib/domain/records/entities/service.ts": 'import type { Fact } from "#lib/domain/records/facts/contract.ts";',
    },
    "lib/domain/records/facts is in the cycle records/facts → records/entities → records/facts",
  ],
  [
    "modules import each other without cycles",
    { "lib/http/a.ts": 'export { b } from "./b.ts";', "lib/http/b.ts": 'import "./a.ts";' },
    "lib/http/a.ts is in the cycle lib/http/a.ts → lib/http/b.ts → lib/http/a.ts",
  ],
  [
    "modules import each other without cycles",
    { "lib/http/a.ts": 'export { b } from "./b.ts";', "lib/http/b.ts": 'import type { A } from "./a.ts";' },
    "lib/http/a.ts is in the cycle lib/http/a.ts → lib/http/b.ts → lib/http/a.ts",
  ],
  [
    "branches are awaited to the end, and no promise is dropped, where a database handle is in scope",
    { "lib/domain/records/facts/service.ts": "const [a, b] = await Promise.all([findA(db), findB(db)]);" },
    "lib/domain/records/facts/service.ts says `Promise.all(`",
  ],
  [
    "branches are awaited to the end, and no promise is dropped, where a database handle is in scope",
    { "lib/domain/records/facts/service.ts": "void db.defer(a);\nvoid writeLater(ctx);" },
    "lib/domain/records/facts/service.ts says `void writeLater(`",
  ],
  [
    "a statement names its workspace as $workspace",
    {
      "lib/domain/records/facts/queries.ts":
        'sql("a", "SELECT id FROM claims WHERE workspace_id = rapport_workspace()");',
    },
    "lib/domain/records/facts/queries.ts says `rapport_workspace()`",
  ],
  [
    "messages and meetings are read for callers by queries/visible.ts of their slices alone",
    {
      "lib/domain/records/facts/queries.ts":
        'sql("a", "SELECT content FROM messages m WHERE m.workspace_id = $workspace");',
    },
    "lib/domain/records/facts/queries.ts says `FROM messages`",
  ],
  [
    "relationships are read by lib/domain/knowledge/relationships/queries.ts and the filter of people, and kept with messages",
    {
      "lib/domain/knowledge/context/queries.ts":
        'sql("a", "SELECT sent FROM relationships r WHERE r.workspace_id = $workspace");',
    },
    "lib/domain/knowledge/context/queries.ts says `FROM relationships`",
  ],
  [
    "only queries.ts, lib/db, lib/jobs and lib/worker import pg or Prisma",
    { "lib/auth/session.ts": 'import pg from "pg";' },
    "lib/auth/session.ts imports pg",
  ],
  [
    "only queries.ts, lib/db, lib/jobs and lib/worker speak SQL or Prisma",
    { "lib/domain/records/facts/service.ts": "const text = `SELECT id\n FROM claims WHERE id = $1`;" },
    "lib/domain/records/facts/service.ts says `SELECT id FROM`",
  ],
  [
    "only queries.ts, lib/db, lib/jobs and lib/worker speak SQL or Prisma",
    { "lib/domain/records/facts/service.ts": "await db.prisma.claim.findMany({});" },
    "lib/domain/records/facts/service.ts says `.findMany(`",
  ],
  [
    "ids in an array of another row are unnested, not compared by = ANY(array_prepend(…))",
    {
      "lib/domain/records/facts/queries.ts":
        "const text = `SELECT FROM o WHERE o.id = ANY(array_prepend(e.id, e.absorbed))`;",
    },
    "lib/domain/records/facts/queries.ts says `ANY(array_prepend(`",
  ],
  [
    "a prepared statement's name is unique",
    {
      "lib/domain/records/facts/queries.ts": 'const one = sql("claims.current", "SELECT 1");',
      "lib/domain/knowledge/notes/queries.ts": 'const two = sqlOfIds(\n  "claims.current",\n  () => "SELECT 2",\n);',
    },
    "lib/domain/knowledge/notes/queries.ts declares the statement claims.current, as lib/domain/records/facts/queries.ts does",
  ],
  [
    "only lib/auth mints a WorkspaceId",
    { "lib/domain/records/facts/service.ts": "run(input.workspace as WorkspaceId);" },
    "lib/domain/records/facts/service.ts says `as WorkspaceId`",
  ],
  [
    "nothing is called utils, helpers, manager or common",
    { "lib/http/string-utils.ts": "" },
    "lib/http/string-utils.ts has such a name",
  ],
  [
    "route files of the API hold only imports and `export const METHOD = route(operation)`",
    { "app/v2/notes/route.ts": "export const GET = route(listNotes);\nif (process) route(listNotes);" },
    "app/v2/notes/route.ts says `if (process) route(listNotes);`",
  ],
  [
    "imports of our own files say the extension",
    { "lib/http/a.ts": 'import { b } from "./b";' },
    "lib/http/a.ts imports ./b",
  ],
  [
    "imports across rooms use #lib, #components or #prisma",
    { "lib/http/a.ts": 'import { b } from "../core/b.ts";' },
    "lib/http/a.ts imports ../core/b.ts",
  ],
  [
    "unit tests use no database",
    { "lib/domain/records/facts/rules.test.ts": 'import { databaseUrl } from "#lib/testing/database.ts";' },
    "lib/domain/records/facts/rules.test.ts imports #lib/testing/database.ts",
  ],
  [
    "journeys are called e2e/<name>.journey.ts",
    { "e2e/facts.spec.ts": 'test("x", () => {});' },
    "e2e/facts.spec.ts declares a test",
  ],
  [
    "what is tried until it passes presses nothing",
    {
      "e2e/a.journey.ts":
        "await expect(async () => {\n  await save.click();\n  await expect(done).toBeVisible();\n}).toPass();",
    },
    "e2e/a.journey.ts says `.click(` in `toPass`",
  ],
  [
    "what is tried until it passes presses nothing",
    {
      "e2e/a.journey.ts":
        'const again = () => page.keyboard.press("j");\nawait expect.poll(() => again().then(read)).toBe(1);',
    },
    "e2e/a.journey.ts says `again(` in `expect.poll`",
  ],
  [
    "what is tried until it passes presses nothing",
    {
      "e2e/a.journey.ts":
        "  async function again(page: Page) {\n    await page.goto(place);\n    await save.press(key);\n  }\n  await expect(async () => {\n    await again(page);\n  }).toPass();",
    },
    "e2e/a.journey.ts says `again(` in `toPass`",
  ],
  [
    "imported packages are declared, those of production as dependencies",
    { "lib/core/a.ts": 'import leftPad from "left-pad/index.js";' },
    "lib/core/a.ts imports left-pad, which package.json does not name",
  ],
  [
    "imported packages are declared, those of production as dependencies",
    { "package.json": '{"devDependencies":{"vitest":"1"}}', "lib/core/a.ts": 'import { vi } from "vitest";' },
    "lib/core/a.ts imports the devDependency vitest",
  ],
];

describe("the rules can fail", () => {
  for (const [name, files, expected] of broken) {
    test(`${name}: ${expected}`, () => {
      const rule = rules.find((candidate) => candidate.name === name) as Rule;
      const lines = rule.find(treeOf(files)).map(({ file, what }) => `${file} ${what}`);
      expect(lines).toContain(expected);
    });
  }

  test("every rule has a tree that breaks it", () => {
    const proven = new Set(broken.map(([name]) => name));
    expect(rules.map(({ name }) => name).filter((name) => !proven.has(name))).toEqual([]);
  });

  test("a sound tree breaks none", () => {
    const sound = treeOf({
      "package.json": '{"dependencies":{"pg":"1","next":"1"},"devDependencies":{"vitest":"1"}}',
      "next.config.ts": 'import type { NextConfig } from "next";',
      "lib/core/ids.ts": "export type WorkspaceId = string & { brand: true };",
      "lib/db/pool.ts": 'import pg from "pg";\nexport const getPool = () => new pg.Pool();',
      "lib/domain/records/facts/contract.ts": 'import type { WorkspaceId } from "#lib/core/ids.ts";',
      "lib/domain/records/facts/queries.ts": 'const current = sql("facts.current", "SELECT id FROM claims");',
      "lib/domain/records/facts/service.ts": [
        "/* import { x } from 'next'; */",
        "// import 'react';",
        'import { findClaims } from "./queries.ts";',
        'export { inner } from "./service/save.ts";',
      ].join("\n"),
      "lib/domain/records/facts/service/save.ts": 'import { findClaims } from "../queries.ts";',
      "lib/domain/records/facts/service.int.test.ts": 'import { expect } from "vitest";',
      "lib/domain/knowledge/notes/service.ts": 'import { saveFact } from "#lib/domain/records/facts/service.ts";',
      "lib/worker/registry.ts": 'import { jobs } from "#lib/domain/knowledge/notes/jobs.ts";',
      "components/facts/card.tsx": 'import { Fact } from "#lib/domain/records/facts/contract.ts";',
      "app/v2/facts/route.ts":
        'import { route } from "#lib/http/route.ts";\n\n// the list\nexport const GET = route(listFacts);\nexport const POST = route(\n  saveFactsWithQuiteALongName,\n);\nexport const dynamic = "force-dynamic";',
      "e2e/facts.journey.ts":
        'test("x", async () => {\n  await save.click();\n  await expect(done).toBeVisible();\n  await expect.poll(() => received.length).toBe(1);\n});',
    });
    const lines = rules.flatMap((rule) => rule.find(sound).map(({ file, what }) => `${rule.name}: ${file} ${what}`));
    expect(lines).toEqual([]);
  });
});

function treeOf(files: Record<string, string>): SourceFile[] {
  return Object.entries(files).map(([path, text]) => sourceFile(path, text));
}
