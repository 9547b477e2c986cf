/** The text of the queries of a new operation. */
import { camelOf, type Import, type Names, type Part, snakeOf, upperFirst } from "./names.ts";
import type { Table } from "./table.ts";

const rowType = ({ dated }: Table): string => `{ id: string${dated ? "; createdAt: Date" : ""} }`;
const columns = ({ dated }: Table): string => `id${dated ? ', created_at AS "createdAt"' : ""}`;

/** The condition that every statement about a tenant's table has. */
const OWN = "workspace_id = $workspace";

export const finderOf = ({ shape, verb, noun, table }: Names): string =>
  shape === "list"
    ? `find${upperFirst(camelOf(noun))}To${upperFirst(verb)}`
    : `find${table.model}To${upperFirst(verb)}`;

/** The name of its prepared statement. */
export const statementOf = ({ operation }: Names): string => snakeOf(operation);

export function queriesOf(names: Names): Part {
  const { operation, shape, table } = names;
  const imports: Import[] = [
    ["#lib/db/handle.ts", "type Db"],
    ["#lib/db/statement.ts", "sql"],
  ];
  const name = JSON.stringify(statementOf(names));
  const finder = finderOf(names);
  if (shape === "list")
    return {
      imports,
      body: `// ${table.name}_pkey, a page of it
const ${operation}Page = sql(
  ${name},
  \`SELECT ${columns(table)} FROM ${table.name}
   WHERE ${OWN} AND id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $1\`,
);

/** Rows with a smaller id than \`before\`, the largest first; from the last one when it is null. */
export const ${finder} = (db: Db, limit: number, before: string | null) =>
  db.query<${rowType(table)}>(${operation}Page, [limit, before]);`,
    };
  const locked = shape === "act" ? " FOR UPDATE" : "";
  return {
    imports,
    body: `// ${table.name}_pkey
const ${operation}Row = sql(
  ${name},
  "SELECT ${columns(table).replaceAll('"', '\\"')} FROM ${table.name} WHERE ${OWN} AND id = $1${locked}",
);

/** ${locked ? "The row, which nothing else can change until this transaction ends; null: there is none." : "Null: there is none."} */
export const ${finder} = async (db: Db, id: string) =>
  (await db.query<${rowType(table)}>(${operation}Row, [id]))[0] ?? null;`,
  };
}
