import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import { database } from "#lib/testing/database.ts";
import { addRow } from "#lib/testing/rows.fixture.ts";
import { tenantTables } from "#lib/testing/statements.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { Prisma, PrismaClient } from "#prisma/generated/client.ts";
import { Work } from "./lease.ts";
import { prismaOf } from "./prisma.ts";
import { datamodelOf, isTenants } from "./prisma-scope.ts";
import { isUniqueViolation, withoutWorkspace, withWorkspace } from "./transaction.ts";

type Args = Record<string, unknown>;
type Calls = Record<string, (args?: Args) => Promise<unknown>>;
type Row = Record<string, unknown>;

const models = datamodelOf(new PrismaClient({ adapter: new PrismaPg({}) }));
const tenants = Object.keys(Prisma.ModelName).filter((model) => isTenants(models, model));
const tableOf = (model: string) => (models[model] as unknown as { dbName: string | null }).dbName ?? model;
/** It has a column that Prisma does not know, so Prisma makes none. */
const UNSUPPORTED = "NoteVector";
const uncapital = (model: string) => (model[0] as string).toLowerCase() + model.slice(1);

describe("Prisma as superuser, which bypasses row level security", () => {
  let client: pg.Client;
  /** columns that the database computes, by table */
  const computed = new Set<string>();
  let statements: { values: unknown[] }[] = [];
  const [a, b] = [newId(), newId()];

  beforeAll(async () => {
    client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    await client.query("SET session_replication_role = replica"); // rows that refer to nothing
    const { rows } = await client.query<{ table: string; name: string }>(
      "SELECT table_name AS table, column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND is_generated = 'ALWAYS'",
    );
    for (const { table, name } of rows)
      computed.add(`${table}.${name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())}`);
    const send = client.query.bind(client);
    Object.assign(client, {
      query: (config: { values: unknown[] }) => {
        statements.push(config);
        return send(config as never);
      },
    });
  });
  afterAll(() => client.end());

  const modelIn = (workspaceId: string | null, model: string): Calls => {
    const connection = client as unknown as pg.PoolClient;
    const prisma = prismaOf({ work: new Work("test"), connection, workspaceId });
    return (prisma as unknown as Record<string, Calls>)[uncapital(model)] as Calls;
  };

  test("every table of a tenant is the model of one", () => {
    expect(tenants.map(tableOf).sort()).toEqual(tenantTables().sort());
    expect(tenants.length).toBeGreaterThan(40);
  });

  test.each(tenants)("reads, changes and removes rows of %s in its own workspace only", async (model) => {
    for (const workspaceId of [a, b]) await addRow(tableOf(model), workspaceId);
    const ours = modelIn(a, model);
    const own = [expect.objectContaining({ workspaceId: a })];
    const other = () => modelIn(b, model).findMany?.();
    const before = await other();

    statements = [];
    const row = (await ours.findFirst?.()) as Row;
    expect(await ours.findMany?.()).toEqual(own);
    expect(await ours.findMany?.({ where: { OR: [{ workspaceId: a }, { NOT: { workspaceId: a } }] } })).toEqual(own);
    expect(await ours.findFirst?.({ skip: 1 })).toBeNull();
    expect(await ours.count?.()).toBe(1);
    expect(await ours.aggregate?.({ _count: true })).toEqual({ _count: 1 });
    expect(await ours.groupBy?.({ by: ["workspaceId"] })).toEqual([{ workspaceId: a }]);
    expect(await ours.updateMany?.({ data: { workspaceId: a } })).toEqual({ count: 1 });
    expect(await ours.updateManyAndReturn?.({ data: { workspaceId: a } })).toEqual(own);
    expect(await ours.deleteMany?.()).toEqual({ count: 1 });
    const given = Object.fromEntries(
      Object.entries(row).filter(([field]) => field !== "workspaceId" && !computed.has(`${tableOf(model)}.${field}`)),
    );
    if (model === UNSUPPORTED) return;
    expect(await ours.createMany?.({ data: [given] })).toEqual({ count: 1 });
    await ours.deleteMany?.();
    expect(await ours.createManyAndReturn?.({ data: [given] })).toEqual(own);
    expect(statements.filter(({ values }) => !values.includes(a))).toEqual([]);
    expect(await other()).toEqual(before);
  });

  test.each(tenants)("refuses calls about %s that name another workspace, or have none", async (model) => {
    const calls = modelIn(a, model);
    statements = [];
    const elsewhere: [string, Args][] = [
      ["findMany", { where: { workspaceId: b } }],
      ["findMany", { where: { OR: [{ workspaceId: { not: a } }] } }],
      ["findMany", { cursor: { workspaceId_id: { workspaceId: b, id: b } } }],
      ["updateMany", { data: { workspaceId: b } }],
      ["createMany", { data: [{ workspaceId: b }] }],
      ["create", { data: { workspaceId: b } }],
      ["upsert", { where: { workspaceId: a }, create: { workspaceId: b }, update: {} }],
      ["delete", { where: { workspaceId_id: { workspaceId: b, id: b } } }],
      ["aggregate", { where: { NOT: { workspaceId: a, AND: [{ workspaceId: b }] } } }],
      ["groupBy", { by: ["workspaceId"], where: { workspaceId: { in: [a, b] } } }],
    ];
    for (const [operation, args] of elsewhere)
      await expect(calls[operation]?.(args), operation).rejects.toThrow(
        `a call about ${model} names another workspace`,
      );
    for (const operation of ["findMany", "findFirst", "count", "updateMany", "deleteMany", "createMany", "create"])
      await expect(modelIn(null, model)[operation]?.({ data: {} }), operation).rejects.toThrow("this work has none");
    expect(statements).toEqual([]);
  });

  test("takes the workspace's own row for the only one", async () => {
    for (const id of [a, b])
      await modelIn(null, "Workspace").create?.({ data: { id, name: id }, select: { id: true } });
    const ours = modelIn(a, "Workspace");
    expect(await ours.findMany?.({ select: { name: true } })).toEqual([{ name: a }]);
    expect(await ours.updateMany?.({ data: { name: "Ours" } })).toEqual({ count: 1 });
    for (const args of [{ where: { id: b } }, { where: { OR: [{ id: { not: a } }] } }])
      await expect(ours.deleteMany?.(args)).rejects.toThrow("names another workspace");
    const all = { where: { id: { in: [a, b] } }, select: { name: true }, orderBy: { id: "asc" } };
    expect(await modelIn(null, "Workspace").findMany?.(all)).toEqual([{ name: "Ours" }, { name: b }]);
  });

  test.each<[string, string, Args]>([
    ["Member", "User", { select: { members: true } }],
    ["Member", "User", { where: { members: { some: {} } } }],
    ["Member", "User", { select: { _count: { select: { members: true } } } }],
    ["Member", "Session", { include: { user: { include: { members: true } } } }],
    ["Member", "Member", { include: { user: { include: { members: true } } } }],
    ["ApiKey", "Workspace", { include: { apiKeys: true } }],
  ])("refuses to ask for %s by way of a model without workspace: %s %j", async (asked, model, args) => {
    await expect(modelIn(a, model).findMany?.(args)).rejects.toThrow(`asks for ${asked} by way of`);
  });
});

describe("a handle", () => {
  const view = (place: string) => ({ id: newId(), list: "people" as const, name: "Mine", place });
  const select = { id: true };

  test("puts its workspace into what is created, and finds only its own", async () => {
    const [one, two] = [await createTestWorkspace(), await createTestWorkspace()];
    const add = ({ id }: { id: WorkspaceId }) =>
      withWorkspace(id, (db) => db.prisma.savedView.create({ data: view(id), select: { workspaceId: true } }));
    expect([await add(one), await add(two)]).toEqual([{ workspaceId: one.id }, { workspaceId: two.id }]);
    const places = (id: WorkspaceId, readOnly: boolean) =>
      withWorkspace(id, (db) => db.prisma.savedView.findMany({ select: { place: true } }), { readOnly });
    expect([await places(one.id, true), await places(two.id, false)]).toEqual([
      [{ place: one.id }],
      [{ place: two.id }],
    ]);
  });

  test("asks on the connection of its own work, however many ask at once", async () => {
    const workspaces = await together(Array.from({ length: 12 }, () => createTestWorkspace()));
    const connections = async ({ id }: { id: WorkspaceId }, readOnly: boolean) =>
      withWorkspace(
        id,
        async (db) => {
          const pid = () =>
            db.prisma.$queryRawUnsafe<{ pid: number; workspace: string }[]>(
              "SELECT pg_backend_pid() AS pid, rapport_workspace()::text AS workspace",
            );
          if (!readOnly) await db.prisma.savedView.create({ data: view(id), select });
          const [one, two, found] = await together([pid(), pid(), db.prisma.savedView.findFirst()]);
          expect(found?.place).toBe(id);
          expect([...one, ...two].map(({ workspace }) => workspace)).toEqual([id, id]);
          return new Set([...one, ...two].map((row) => row.pid)).size;
        },
        { readOnly },
      );
    for (const readOnly of [false, true])
      expect(await together(workspaces.map((each) => connections(each, readOnly)))).toEqual(workspaces.map(() => 1));
  });

  test("refuses calls that Prisma joins with those of other work", async () => {
    const { id } = await createTestWorkspace();
    const asked = withWorkspace(
      id,
      (db) => (db.prisma.user as unknown as Calls).findUnique?.({ where: { id } }) as Promise<unknown>,
    );
    await expect(asked).rejects.toThrow("User.findUnique may be joined with a call of other work");
  });

  test("without a workspace refuses calls about a tenant's rows", async () => {
    await expect(withoutWorkspace((db) => db.prisma.savedView.count())).rejects.toThrow("this work has none");
  });

  test("throws what the database refuses as pg does, and as the reason of what follows", async () => {
    const { id } = await createTestWorkspace();
    const twice = withWorkspace(id, async (db) => {
      await db.prisma.savedView.create({ data: view(""), select });
      await db.prisma.savedView.create({ data: view(""), select }).catch(() => undefined);
      return db.prisma.savedView.count();
    });
    const error = await twice.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "23505", constraint: "saved_views_name_key", table: "saved_views" });
    expect(isUniqueViolation(error, "saved_views_name_key")).toBe(true);
  });
});
