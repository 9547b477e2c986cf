import { z } from "zod";
import type { ErrorCode } from "#lib/core/errors.ts";
import { type Contract, pathFields } from "#lib/core/operation.ts";
import { operations } from "#lib/registry.ts";

import { inboundPaths } from "./inbound.ts";
import { errorResponses, type Json, rateHeaders } from "./responses.ts";

/** Codes that any operation of the API may answer with, besides its own. */
function sharedCodes(contract: Contract): ErrorCode[] {
  const codes: ErrorCode[] = [
    "invalid_parameter",
    "unknown_parameter",
    "unauthorized",
    "insufficient_scope",
    "ip_not_allowed",
    "rate_limited",
    "internal_error",
    "not_ready",
  ];
  if (contract.http.method === "POST" || contract.http.method === "PATCH")
    codes.push("invalid_json", "payload_too_large", "unsupported_media_type");
  if (contract.http.method === "POST")
    codes.push("invalid_idempotency_key", "idempotency_key_reused", "idempotency_key_in_use");
  if (contract.plan) codes.push("feature_not_in_plan");
  return codes;
}

const definitionsOf = (schema: z.ZodType, io: "input" | "output") => {
  const made = z.toJSONSchema(schema, { io, unrepresentable: "any", target: "draft-2020-12" });
  const { $schema: _, $defs = {}, ...rest } = made as Json & { $defs?: Record<string, Json> };
  return { rest, parts: Object.entries($defs) };
};

/** A recursive definition without its name. */
const nameless = ([part, definition]: [string, Json]): string =>
  JSON.stringify(definition).replaceAll(`"#/$defs/${part}"`, '"#"');

/** `z.json()`, which never has a name of its own. */
const anyJson = definitionsOf(z.object({ any: z.json() }), "output").parts.map(nameless)[0];

/**
 * Recursive parts of a schema become components of the document: any JSON is `JsonValue`, the others are named after
 * the operation that uses them.
 */
function jsonSchema(schema: z.ZodType, io: "input" | "output", name: string, components: Json): Json {
  const { rest, parts } = definitionsOf(schema, io);
  const names = new Map(
    parts.map((part) => [part[0], nameless(part) === anyJson ? "JsonValue" : `${name}_${io}_${part[0]}`]),
  );
  const renamed = (value: Json): Json =>
    JSON.parse(
      JSON.stringify(value).replaceAll(
        /"#\/\$defs\/([^"]+)"/g,
        (_, part) => `"#/components/schemas/${names.get(part)}"`,
      ),
    ) as Json;
  for (const [part, definition] of parts) components[names.get(part) as string] = renamed(definition);
  return renamed(rest);
}

function operationObject(contract: Contract, components: Json): Json {
  const { method, status = contract.http.created ? 201 : 200 } = contract.http;
  const input = jsonSchema(contract.input, "input", contract.name, components) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const example = contract.example.input as Json;
  const inPath = pathFields(contract);
  const hasBody = method === "POST" || method === "PATCH";
  const properties = Object.entries(input.properties ?? {});
  const parameters: Json[] = properties
    .filter(([name]) => inPath.includes(name) || !hasBody)
    .map(([name, schema]) => ({
      name,
      in: inPath.includes(name) ? "path" : "query",
      required: inPath.includes(name) || (input.required ?? []).includes(name),
      description: schema.description,
      schema,
      ...(schema.type === "array" ? { style: "form", explode: false } : {}),
      ...(example[name] === undefined ? {} : { example: example[name] }),
    }));
  parameters.push({ $ref: "#/components/parameters/RequestId" }, { $ref: "#/components/parameters/ServiceClient" });
  if (method === "POST") parameters.push({ $ref: "#/components/parameters/IdempotencyKey" });
  const body = { ...input, properties: Object.fromEntries(properties.filter(([name]) => !inPath.includes(name))) };
  const bodyExample = Object.fromEntries(Object.entries(example).filter(([name]) => !inPath.includes(name)));
  return {
    operationId: contract.name,
    tags: [contract.tag],
    summary: contract.summary,
    description: [
      contract.description,
      `Needs the scope \`${contract.scope}\`${contract.plan ? ` and the plan \`${contract.plan}\` or above` : ""}.`,
    ]
      .filter(Boolean)
      .join("\n\n"),
    parameters,
    ...(hasBody
      ? { requestBody: { required: true, content: { "application/json": { schema: body, example: bodyExample } } } }
      : {}),
    responses: {
      [String(status)]: {
        description: "Success.",
        headers:
          method === "POST"
            ? { ...rateHeaders, "Idempotency-Replayed": { $ref: "#/components/headers/IdempotencyReplayed" } }
            : rateHeaders,
        ...(status === 204
          ? {}
          : {
              content: {
                "application/json": {
                  schema: jsonSchema(contract.output, "output", contract.name, components),
                  example: contract.example.output,
                },
              },
            }),
      },
      ...errorResponses([...(contract.errors ?? []), ...sharedCodes(contract)]),
    },
    "x-required-scope": contract.scope,
  };
}

const headers = {
  RequestId: {
    description:
      "The id of this request: yours if you sent one, otherwise a new one. Quote it when you report a problem.",
    schema: { type: "string" },
  },
  RateLimitLimit: { description: "Requests a key may make per minute.", schema: { type: "integer" } },
  RateLimitRemaining: { description: "Requests left in the current minute.", schema: { type: "integer" } },
  RateLimitReset: { description: "Seconds until the count starts again.", schema: { type: "integer" } },
  IdempotencyReplayed: {
    description: "`true` when this is the stored answer to an earlier request with the same Idempotency-Key.",
    schema: { type: "string" },
  },
};

const parameters = {
  RequestId: {
    name: "x-request-id",
    in: "header",
    description: "Your own id for this request: 1 to 128 characters of A–Z a–z 0–9 _ -.",
    schema: { type: "string", pattern: "^[A-Za-z0-9_-]{1,128}$" },
  },
  ServiceClient: {
    name: "x-service-client",
    in: "header",
    description:
      "The name of the calling program, such as `acme-outreach/1.4`. It is kept with the last use of the key and in the evidence.",
    schema: { type: "string", maxLength: 64 },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "1 to 255 visible ASCII characters. The first answer is kept for 24 hours, and a repeated request gets it again. Not kept: a 400 for a request that could not be read, 401 to 403, 413, 415, 429 and 5xx.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
};

/** The OpenAPI 3.1 description of the public API, made from the contracts. */
export function openApiDocument(origin: string): Json {
  const paths: Record<string, Json> = {};
  const recursive: Json = {};
  for (const { contract } of operations.filter((operation) => operation.contract.surface === "public")) {
    const path = contract.http.path.replaceAll(/:([a-z_]+)/g, "{$1}");
    paths[path] = { ...paths[path], [contract.http.method.toLowerCase()]: operationObject(contract, recursive) };
  }
  Object.assign(paths, inboundPaths());
  const probe = (summary: string, ok: Json, failing?: Json) => ({
    get: {
      tags: ["Operation"],
      summary,
      security: [],
      responses: {
        "200": { description: "Yes.", content: { "application/json": { example: ok, schema: { type: "object" } } } },
        ...(failing
          ? {
              "503": {
                description: "No.",
                content: { "application/json": { example: failing, schema: { type: "object" } } },
              },
            }
          : {}),
      },
    },
  });
  paths["/healthz"] = { ...probe("Check that the process runs", { status: "ok", uptime_seconds: 5 }) };
  paths["/readyz"] = {
    ...probe(
      "Check that requests can be served: the database answers and is migrated",
      { status: "ready", database: "ok", migrations: "ok", worker: "running", pages: "ready" },
      { status: "not_ready", database: "unreachable", migrations: "unknown", worker: "stopped", pages: "ready" },
    ),
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "Rapport API",
      version: "2",
      summary: "The context store for sales and go-to-market agents",
      description:
        "Send a workspace API key with every request: `Authorization: Bearer rpt_…`. Create one on the API keys page of your server.\n\nTimes you send are ISO 8601 with an offset, or a date, which means midnight UTC. Times you get are in UTC with milliseconds. A parameter or field that an endpoint does not have is an error that names it. An error is `{error, message, request_id, …}`: `error` is a code that does not change, `message` says how to fix the request. To repeat a POST safely, send an `Idempotency-Key`.\n\n503 `not_ready` means that the database is away for a moment: wait for the seconds of `Retry-After` and send the request again. A write that was answered 503 may have been made; with an `Idempotency-Key`, or an `external_id` where there is one, it is safe to send it again.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: origin }],
    security: [{ apiKey: [] }],
    tags: [
      ...new Set(
        operations.filter(({ contract }) => contract.surface === "public").map(({ contract }) => contract.tag),
      ),
      "Inbound webhooks",
      "Operation",
    ].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "A workspace API key, minted in the app under API keys.",
        },
      },
      headers,
      parameters,
      schemas: {
        ...recursive,
        Error: {
          type: "object",
          required: ["error", "message", "request_id"],
          properties: {
            error: { type: "string", description: "A stable snake_case code." },
            message: { type: "string", description: "One plain sentence that says how to fix the request." },
            request_id: { type: "string" },
          },
          additionalProperties: true,
        },
      },
    },
  };
}
