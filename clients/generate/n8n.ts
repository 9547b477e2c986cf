/**
 * Writes the actions of the node from the description of the API: `node n8n.ts <openapi.json> <actions.ts>`. Names,
 * sentences and types are those of the contracts; only which operations are offered is said here.
 */
import { readFile, writeFile } from "node:fs/promises";

/** What a workflow does, by resource. Settings of the workspace are made on pages, and triggers by the trigger node. */
const offered: Readonly<Record<string, readonly string[]>> = {
  Company: ["upsertCompany", "listCompanies"],
  Contact: ["getAccount", "getContext", "capture", "recordObservations", "scoreRows"],
  "GTM Profile": ["listFacts", "saveFact"],
  Note: ["saveNote", "searchNotes"],
  Person: ["upsertPerson", "getPerson", "listPeople"],
  Task: ["createTask", "listTasks", "updateTask"],
};
/** n8n has no field for them: a filter by any property, and where a page begins. */
const leftOut = ["property", "company", "include", "offset", "cursor"];

type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
};
type Parameter = { name: string; in: "path" | "query"; required?: boolean; description?: string; schema: Schema };
type Operation = {
  operationId: string;
  summary: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
  responses: Record<string, { content?: { "application/json": { schema: Schema } } }>;
};
type Field = { name: string; in: "path" | "query" | "body"; required: boolean; schema: Schema; description: string };
type Action = { method: string; path: string; operation: Operation };

const [source = "", target = ""] = process.argv.slice(2);
const document = JSON.parse(await readFile(source, "utf8"));

const resolve = (schema: Schema): Schema =>
  schema.$ref ? { ...document.components.schemas[schema.$ref.split("/").at(-1) as string], ...schema } : schema;

const paths = Object.entries(document.paths as Record<string, Record<string, Operation>>);
const all = paths.flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): Action => ({ method: method.toUpperCase(), path, operation })),
);
const actionOf = (id: string): Action => {
  const action = all.find(({ operation }) => operation.operationId === id);
  if (!action) throw new Error(`The API has no operation ${id}.`);
  return action;
};

const small = /^(a|an|and|as|at|by|for|from|in|into|of|on|or|the|to|with)$/;
const capitals: Readonly<Record<string, string>> = { id: "ID", url: "URL", icp: "ICP", json: "JSON", gtm: "GTM" };
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const titled = (text: string): string =>
  text
    .split(/[ _]/)
    .map((word, at, all) => {
      const isInside = at > 0 && at < all.length - 1;
      return capitals[word] ?? (isInside && small.test(word) ? word : capital(word));
    })
    .join(" ");

/** The first sentence, as n8n writes them. */
const sentence = (text = ""): string => {
  const [first = ""] = /^.*?(?=[.;:](\s|$)|$)/s.exec(text.replaceAll("`", "")) ?? [];
  return capital(first.trim().replaceAll(/\bid(s?)\b/gi, "ID$1"));
};

function fieldsOf({ operation }: Action): Field[] {
  const parameters = (operation.parameters ?? []).filter((one): one is Parameter => "in" in one);
  const body = resolve(operation.requestBody?.content["application/json"].schema ?? {});
  const inBody = Object.entries(body.properties ?? {}).map(
    ([name, schema]): Field => ({
      name,
      in: "body",
      required: body.required?.includes(name) ?? false,
      schema: resolve(schema),
      description: resolve(schema).description ?? "",
    }),
  );
  const others = parameters.map(
    ({ name, in: place, required = false, schema, description }): Field => ({
      name,
      in: place,
      required,
      schema: resolve(schema),
      description: description ?? resolve(schema).description ?? "",
    }),
  );
  return [...others, ...inBody].filter(({ name }) => !leftOut.includes(name));
}

/** How a value is typed in, and what is sent. */
function kindOf({ name, in: place, schema }: Field): object {
  const values = (schema.enum ?? []).filter((value): value is string => typeof value === "string").sort();
  if (values.length > 0)
    return { type: "options", options: values.map((value) => ({ name: titled(value), value })), default: values[0] };
  if (name === "limit") return { type: "number", typeOptions: { minValue: 1 }, default: 50 };
  if (schema.type === "integer" || schema.type === "number") return { type: "number", default: 0 };
  if (schema.type === "boolean") return { type: "boolean", default: false };
  if (name === "email") return { type: "string", placeholder: "name@email.com", default: "" };
  const isText = schema.type === "string" || place === "query" || schema.anyOf?.some(({ type }) => type === "string");
  return isText ? { type: "string", default: "" } : { type: "json", default: schema.type === "array" ? "[]" : "{}" };
}

function propertyOf(field: Field): Record<string, unknown> {
  const { name, in: place, schema } = field;
  const kind = kindOf(field) as { type: string };
  const about = name === "limit" ? "Max number of results to return" : sentence(field.description);
  const description =
    kind.type === "boolean" ? `Whether it holds: ${about.charAt(0).toLowerCase()}${about.slice(1)}` : about;
  // Typed as text, or the value of an expression.
  const value =
    kind.type === "json" ? { value: '={{ typeof $value === "string" ? JSON.parse($value) : $value }}' } : {};
  const send = { type: place, property: name, ...value };
  return {
    displayName: titled(name),
    name,
    ...kind,
    ...(description && description.toLowerCase() !== titled(name).toLowerCase() ? { description } : {}),
    ...(place === "path" ? {} : { routing: { send } }),
    ...(schema.type === "array" && place === "query" ? { placeholder: "a,b" } : {}),
  };
}

/** The one list in an answer of pages: each of its rows becomes an item. */
function listIn({ operation }: Action): string | undefined {
  const { properties = {} } = resolve(operation.responses["200"]?.content?.["application/json"].schema ?? {});
  const lists = Object.entries(properties).filter(([, schema]) => resolve(schema).type === "array");
  return "next_cursor" in properties && lists.length === 1 ? lists[0]?.[0] : undefined;
}

function optionOf(action: Action): object {
  const { method, path, operation } = action;
  const url = path.replaceAll(/\{(\w+)\}/g, '{{ encodeURIComponent($parameter["$1"]) }}');
  const list = listIn(action);
  const output = list ? { output: { postReceive: [{ type: "rootProperty", properties: { property: list } }] } } : {};
  return {
    name: titled(operation.summary),
    value: operation.operationId,
    action: operation.summary.replace(/,.*/, "").replace("'s ", " "), // n8n wants no punctuation
    routing: { request: { method, url: path === url ? url : `=${url}` }, ...output },
  };
}

const byName = (one: object, other: object): number => {
  const name = (value: object) => String("displayName" in value ? value.displayName : (value as { name: string }).name);
  return name(one).localeCompare(name(other));
};

function propertiesOf(resource: string, own: readonly Action[]): object[] {
  const operation = {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options: own.map(optionOf).sort(byName),
    default: own[0]?.operation.operationId,
  };
  const fields = own.flatMap((action) => {
    const show = { resource: [resource], operation: [action.operation.operationId] };
    const all = fieldsOf(action);
    const required = all.filter((field) => field.required).map((field) => ({ ...propertyOf(field), required: true }));
    const more = {
      displayName: "Additional Fields",
      name: "additionalFields",
      type: "collection",
      placeholder: "Add Field",
      default: {},
      options: all
        .filter((field) => !field.required)
        .map(propertyOf)
        .sort(byName),
    };
    const shown = more.options.length > 0 ? [...required, more] : required;
    return shown.map((property) => ({ ...property, displayOptions: { show } }));
  });
  return [operation, ...fields];
}

const resources = Object.keys(offered);
const properties = [
  {
    displayName: "Resource",
    name: "resource",
    type: "options",
    noDataExpression: true,
    options: resources.map((name) => ({ name, value: name })),
    default: "Contact",
  },
  ...Object.entries(offered).flatMap(([resource, names]) => propertiesOf(resource, names.map(actionOf))),
];
const text = JSON.stringify(properties, null, 2).replaceAll(/^( *)"([A-Za-z]\w*)":/gm, "$1$2:");
await writeFile(
  target,
  `import type { INodeProperties } from "n8n-workflow";\n\nexport const actions: INodeProperties[] = ${text};\n`,
);
