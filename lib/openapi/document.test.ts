/** The OpenAPI description, as other people's tools read it. */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral, { type RuleDefinition, type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { describe, expect, test } from "vitest";
import { openApiDocument } from "./document.ts";
import type { Json } from "./responses.ts";

type Schema = Json & { $ref?: string; properties?: Record<string, Schema>; required?: string[]; items?: Schema };
type Parameter = {
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  style?: string;
};
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description?: string; content?: Record<string, { schema: Schema }> }>;
  "x-required-scope"?: string;
};
type OasRules = { rules: { "oas3-valid-schema-example": RuleDefinition } };
type Document = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    "x-with-approval": { "202": { content?: Record<string, { schema: Schema }> } };
  };
};

const document = openApiDocument("https://rapport.example.org") as unknown as Document;
const text = JSON.stringify(document);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);
const named = (name: string) => {
  const operation = operations.find(({ operationId }) => operationId === name);
  if (!operation) throw new Error(`there is no ${name}`);
  return operation;
};
const resolved = (schema: Schema): Schema =>
  schema.$ref ? (document.components.schemas[schema.$ref.split("/").at(-1) as string] as Schema) : schema;
const bodyOf = ({ requestBody }: Operation): Schema =>
  requestBody ? resolved(requestBody.content["application/json"]?.schema as Schema) : {};

/**
 * Spectral's rule that examples and defaults fit their schema. With references resolved the same schema is in every operation that uses
 * it, and the rule compiles it there again: here each different one is judged once.
 */
const EXAMPLES = "oas3-valid-schema-example";
const byTool = (rulesets.oas as unknown as OasRules).rules[EXAMPLES];
const step = [byTool.then].flat()[0] as Exclude<RuleDefinition["then"], unknown[]>;
const judged = new Set<string>();
const judge: typeof step.function = (schema, ...more) => {
  const text = JSON.stringify(schema);
  return judged.size === judged.add(text).size ? [] : step.function(schema, ...more);
};
// biome-ignore lint/suspicious/noThenProperty: it is what a rule of Spectral does, and no promise
const onceEach: RuleDefinition = { ...byTool, then: { ...step, function: judge } };

describe("linters find nothing", () => {
  test("redocly, its recommended rules", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  test("spectral, its rules for OpenAPI", async () => {
    const linter = new spectral.Spectral();
    linter.setRuleset({
      extends: [[rulesets.oas as RulesetDefinition, "recommended"]],
      rules: { [EXAMPLES]: onceEach },
    });
    const problems = await linter.run(JSON.parse(text) as Json);
    expect(problems.map(({ code, message, path }) => [code, message, path.join("/")])).toEqual([]);
  });
});

describe("every operation", () => {
  const told = (about: string | undefined) => about !== undefined && /^\S.*[.:]$/s.test(about) && about.length <= 300;

  test("has a sentence of at most 300 characters, and a summary, and a tag that is described", () => {
    expect(operations.filter(({ description }) => !told(description)).map(({ operationId }) => operationId)).toEqual(
      [],
    );
    expect(
      operations.filter(({ summary }) => !summary || summary.length > 90).map(({ operationId }) => operationId),
    ).toEqual([]);
    const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
    for (const { operationId, tags: of } of operations)
      expect(
        of.map((tag) => tags.get(tag)),
        operationId,
      ).toEqual([expect.stringMatching(/\.$/)]);
  });

  test("describes each parameter and each field it takes in at most 300 characters", () => {
    const silent = operations.flatMap((operation) => {
      const parameters = (operation.parameters ?? []).filter((one) => !("$ref" in one));
      const fields = Object.entries(bodyOf(operation).properties ?? {});
      return [
        ...parameters
          .filter(({ description }) => !told(description))
          .map(({ name }) => `${operation.operationId} ${name}`),
        ...fields
          .filter(([, field]) => !told((field.description ?? resolved(field).description) as string | undefined))
          .map(([name]) => `${operation.operationId} ${name}`),
      ];
    });
    expect(silent).toEqual([]);
    for (const { description } of Object.values(document.components.parameters)) expect(told(description)).toBe(true);
  });

  test("has the parameters of its path, required, and never in its body", () => {
    let seen = 0;
    for (const operation of operations) {
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
      const parameters = (operation.parameters ?? []).filter((one) => one.in === "path");
      expect(parameters.map(({ name, required }) => [name, required])).toEqual(inPath.map((name) => [name, true]));
      const body = bodyOf(operation);
      for (const name of inPath) {
        expect(Object.keys(body.properties ?? {}), operation.operationId).not.toContain(name);
        expect(body.required ?? [], operation.operationId).not.toContain(name);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(10);
  });

  test("says the scope it needs beside its sentence, not in it", () => {
    const withKey = operations.filter((operation) => "x-required-scope" in operation);
    expect(withKey.length).toBeGreaterThan(40);
    for (const { description, operationId } of withKey)
      expect(description, operationId).not.toMatch(/needs the scope/i);
  });

  test("has each of its refusals by reference, and lists their codes", () => {
    for (const { responses, operationId } of operations.filter((operation) => "x-required-scope" in operation))
      for (const [status, response] of Object.entries(responses))
        if (Number(status) >= 400) expect(response, `${operationId} ${status}`).toHaveProperty("$ref");
    expect(named("saveNote")).toMatchObject({
      "x-error-codes": expect.arrayContaining(["invalid_date", "rate_limited"]),
    });
  });
});

describe("what generators read", () => {
  const statusesOf = (name: string) => Object.keys(named(name).responses).filter((status) => status < "300");

  test("an upsert answers 200 and 201 alike", () => {
    for (const name of ["upsertPerson", "upsertCompany"]) {
      expect(statusesOf(name)).toEqual(["200", "201"]);
      const { responses } = named(name);
      expect(responses["200"]?.content?.["application/json"]?.schema).toEqual(
        responses["201"]?.content?.["application/json"]?.schema,
      );
    }
    expect(statusesOf("listPeople")).toEqual(["200"]);
    expect(statusesOf("saveNote")).toEqual(["201"]);
    expect(statusesOf("disconnectIntegration")).toEqual(["204"]);
  });

  test("the property filter is one parameter of style deepObject", () => {
    for (const name of ["listPeople", "listCompanies"]) {
      const filter = named(name).parameters?.find((parameter) => parameter.name === "property");
      expect(filter).toMatchObject({ in: "query", style: "deepObject", explode: true });
      expect(named(name).parameters?.map((parameter) => parameter.name)).not.toContain("properties");
    }
  });

  test("any JSON is {}, and no schema leads back to itself", () => {
    expect(document.components.schemas.Claim?.properties?.value).toEqual({});
    const references = (schema: unknown): string[] =>
      [...JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name as string);
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      references(document.components.schemas[from]).some(
        (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
      );
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => reaches(name, name))).toEqual([]);
  });

  test("what is known by a name in the contracts is a schema of that name, used by reference", () => {
    for (const name of "Person Company Note Fact Observation Claim Activity Account Context Stage Delivery".split(
      " ",
    )) {
      expect(document.components.schemas, name).toHaveProperty(name);
      expect(text, name).toContain(`{"$ref":"#/components/schemas/${name}"`);
    }
  });

  test("each operation that writes, and no other, says what it answers while it waits for approval", () => {
    const waiting = operations.filter((operation) => "x-with-approval" in operation);
    expect(waiting.map(({ operationId }) => operationId).sort()).toEqual(
      operations
        .filter((operation) => ["write", "admin"].includes(operation["x-required-scope"] ?? ""))
        .map(({ operationId }) => operationId)
        .concat("verifyClaim")
        .sort(),
    );
    expect(document.components["x-with-approval"]["202"].content?.["application/json"]?.schema).toMatchObject({
      required: ["status", "approval_id", "message"],
    });
  });

  test("rows of bulk requests and answers have types", () => {
    const rows = (schema: Schema | undefined) => resolved(schema?.items as Schema);
    expect(rows(bodyOf(named("upsertPeople")).properties?.people).properties).toHaveProperty("job_title");
    expect(rows(bodyOf(named("upsertCompanies")).properties?.companies).properties).toHaveProperty("domain");
    expect(rows(bodyOf(named("captureBatch")).properties?.activities).properties).toHaveProperty("occurred_at");
    expect(document.components.schemas.BulkOutcome?.properties?.results?.items).toEqual({
      $ref: "#/components/schemas/BulkRow",
    });
  });

  test("a field of a body with a default is not required, nor made so by a `default`", () => {
    const body = bodyOf(named("searchNotes"));
    expect(body.required).toEqual(["question"]);
    expect(body.properties?.limit).toMatchObject({ description: expect.stringContaining("default 8") });
    expect(body.properties?.limit).not.toHaveProperty("default");
  });

  test("the document is small enough to be read whole", () => {
    expect(text.length).toBeLessThan(3_800 * operations.length);
  });
});
