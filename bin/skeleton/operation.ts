/** The text of a new operation: small, and it does what its summary says. */
import { type Import, type Names, type Part, snakeOf, wordsOf } from "./names.ts";
import { finderOf } from "./queries.ts";
import type { Table } from "./table.ts";

const EXAMPLE_ID = "0190a6e0-0000-7000-8000-000000000031";

/** What the audit log calls it. */
export const auditedOf = ({ verb, table }: Pick<Names, "verb" | "table">): string => `${snakeOf(table.model)}.${verb}`;

/** How the page of the audit log says it. */
export const sentenceOf = (names: Names): string =>
  `  "${auditedOf(names)}": () => "did ${names.verb} to a ${wordsOf(names.table.model)}",`;

/** The columns of a row that the caller gets. */
const rowSchema = ({ dated }: Table): string => `z.strictObject({ id: Id${dated ? ", created_at: Timestamp" : ""} })`;
const rowExample = ({ dated }: Table): string =>
  `{ id: "${EXAMPLE_ID}"${dated ? ', created_at: "2026-06-03T09:00:00.000Z"' : ""} }`;
const rowAnswer = ({ dated }: Table, row: string): string =>
  dated ? `{ id: ${row}.id, created_at: ${row}.createdAt.toISOString() }` : `{ id: ${row}.id }`;

const summaryOf = ({ noun, verb, shape, table }: Names): string => {
  const [one, many] = [wordsOf(table.model), noun.replaceAll("-", " ")];
  if (shape === "list") return `Page ${many}, from the last id to the first`;
  if (shape === "get") return `Get one ${one}`;
  return `Write ${auditedOf({ verb, table })} about one ${one} to the audit log`;
};

const descriptionOf = ({ shape }: Names): string => {
  if (shape === "list") return "`cursor` continues where a page ended, and is stable while rows are added.";
  return shape === "get" ? "What is kept about it." : "The log says who did it, and when.";
};

/** `tag`: the property as the contracts of the slice write it. */
export function contractOf(names: Names, tag: string): Part {
  const { operation, method, path, shape, table, noun, missing } = names;
  const isList = shape === "list";
  const [sides, example] = isList
    ? [
        `input: z.strictObject(cursorPaging(50, 200)),
  output: z.strictObject({ ${snakeOf(noun)}: z.array(${rowSchema(table)}), ...nextPage }),`,
        `{ input: { limit: 50 }, output: { ${snakeOf(noun)}: [${rowExample(table)}], has_more: false, next_cursor: null } }`,
      ]
    : [
        `...ofOne({
    id: Id.describe("The ${wordsOf(table.model)}."),
    output: z.strictObject({ ${snakeOf(table.model)}: ${rowSchema(table)} }),
    missing: "${missing}",
  }),`,
        `{ input: { id: "${EXAMPLE_ID}" }, output: { ${snakeOf(table.model)}: ${rowExample(table)} } }`,
      ];
  return {
    imports: [
      ["zod", "z"],
      ["#lib/core/operation.ts", "defineOperation"],
      isList ? ["#lib/core/page-input.ts", "cursorPaging", "nextPage"] : ["#lib/core/of-one.ts", "ofOne"],
      ["#lib/core/schema.ts", "Id", ...(table.dated ? ["Timestamp"] : [])],
    ],
    body: `export const ${operation} = defineOperation({
  name: "${operation}",
  ${tag},
  summary: "${summaryOf(names)}",
  description: "${descriptionOf(names)}",
  surface: "public",
  scope: "${shape === "act" ? "write" : "read"}",
  http: { method: "${method}", path: "${path}" },
  ${sides}
  example: ${example},
});`,
  };
}

/** `queries`: the module that holds the queries, as the service names it. */
export function serviceOf(names: Names, queries: string): Part {
  const { operation, shape, table, noun, missing } = names;
  const imports: Import[] = [
    ["#lib/domain/implement.ts", "implement"],
    ["./contract.ts", "* as contract"],
    [queries, finderOf(names)],
  ];
  if (shape === "list")
    return {
      imports: [
        ...imports,
        ["zod", "z"],
        ["#lib/core/paging.ts", "cursorsOf", "pageOf"],
        ["#lib/core/schema.ts", "Id"],
      ],
      body: `const ${operation}Cursors = cursorsOf(contract.${operation}.name, z.tuple([Id]));

export const ${operation} = implement(contract.${operation}, async (ctx, { limit, cursor }) => {
  const before = cursor === undefined ? null : ${operation}Cursors.decode(ctx, cursor)[0];
  const rows = await ${finderOf(names)}(ctx.db, limit + 1, before);
  const { shown, next } = pageOf(ctx, ${operation}Cursors, { rows, limit }, ({ id }) => [id]);
  return { ${snakeOf(noun)}: shown.map((row) => (${rowAnswer(table, "row")})), ...next };
});`,
    };
  const audit = shape === "act";
  return {
    imports: [
      ...imports,
      ["#lib/core/errors.ts", "Fault"],
      ...(audit ? [["#lib/domain/records/audit/service.ts", "recordAudit"] as const] : []),
    ],
    body: `export const ${operation} = implement(contract.${operation}, async (ctx, { id }) => {
  const row = await ${finderOf(names)}(ctx.db, id);
  if (!row) throw new Fault("${missing}");
${audit ? `  await recordAudit(ctx, "${auditedOf(names)}", id);\n` : ""}  return { ${snakeOf(table.model)}: ${rowAnswer(table, "row")} };
});`,
  };
}

export const routeOf = ({ area, noun, operation, method }: Names): Part => ({
  imports: [
    [`#lib/domain/${area}/${noun}/service.ts`, operation],
    ["#lib/http/route.ts", "route"],
  ],
  body: `export const ${method} = route(${operation});`,
});

/** The line of the error table; only operations about one row need it. */
export const errorLineOf = ({ missing, table }: Names): string =>
  `  ${missing}: [404, "No ${wordsOf(table.model)} of this workspace has that id."],`;

/** The input with which the conformance battery calls the operation successfully. */
export const scenarioOf = ({ operation, table }: Names): string =>
  `  ${operation}: { input: async (stage) => ({ id: await addRow("${table.name}", stage.id) }) },`;

export function testOf(names: Names): Part {
  const { operation, shape, table, noun, missing } = names;
  const imports: Import[] = [
    ["vitest", "expect", "test"],
    ["#lib/testing/rows.fixture.ts", "addRow"],
    ["#lib/testing/workspace.fixture.ts", "createTestWorkspace"],
    ["./service.ts", operation],
  ];
  const add = (workspace: string) => `await addRow("${table.name}", ${workspace}.id)`;
  const [own, foreign] = [snakeOf(noun), snakeOf(table.model)];
  if (shape === "list")
    return {
      imports,
      body: `test("pages hold each row of the workspace once, the last id first, and nothing of another workspace", async () => {
  const [workspace, other] = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
  const ids = [${add("workspace")}, ${add("workspace")}, ${add("workspace")}];
  const theirs = ${add("other")};
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await ${operation}.execute(workspace.caller, { limit: 2, cursor });
    seen.push(...page.${own}.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  expect(seen.slice(0, 3)).toEqual(ids.toReversed());
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).not.toContain(theirs);
});

test("a cursor that no page returned is refused", async () => {
  const { caller } = await createTestWorkspace();
  for (const cursor of ["x", Buffer.from('["x"]').toString("base64url")])
    await expect(${operation}.execute(caller, { cursor })).rejects.toMatchObject({ code: "invalid_parameter" });
});`,
    };
  if (shape === "get")
    return {
      imports,
      body: `test("a row of the workspace is found by its id, one of another workspace is not", async () => {
  const [workspace, other] = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
  const [id, theirs] = [${add("workspace")}, ${add("other")}];
  expect((await ${operation}.execute(workspace.caller, { id })).${foreign}.id).toBe(id);
  await expect(${operation}.execute(workspace.caller, { id: theirs })).rejects.toMatchObject({ code: "${missing}" });
});`,
    };
  return {
    imports: [...imports, ["#lib/domain/records/audit/service.ts", "listAudit"]],
    body: `test("the audit log says what was done to a row; a row of another workspace is not found", async () => {
  const [workspace, other] = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
  const [id, theirs] = [${add("workspace")}, ${add("other")}];
  const { ${foreign}: row } = await ${operation}.execute(workspace.caller, { id });
  expect(row.id).toBe(id);
  await expect(${operation}.execute(workspace.caller, { id: theirs })).rejects.toMatchObject({ code: "${missing}" });
  const { entries } = await listAudit.execute(workspace.caller, {});
  expect(entries).toMatchObject([{ action: "${auditedOf(names)}", subject: id }]);
  expect((await listAudit.execute(other.caller, {})).entries).toEqual([]);
});`,
  };
}
