import type { ErrorCode } from "#lib/core/errors.ts";
import { type Contract, featureOf, hasBody, mayWrite, pathFields } from "#lib/core/operation.ts";
import { planFeatures } from "#lib/core/plans.ts";
import { prefixOf } from "#lib/core/schema.ts";
import { PendingApproval } from "#lib/domain/access/approvals/contract.ts";
import { operations } from "#lib/registry.ts";
import { exportPaths } from "./exports.ts";
import { inboundPaths, inboundResponses } from "./inbound.ts";
import { errorCodeSchema, errorResponses, errorSchema, type Json, sharedResponses } from "./responses.ts";
import { Schemas } from "./schemas.ts";
import { tagsOf } from "./tags.ts";

/** Codes that any operation of the API may answer with, besides its own; those of a request with a body; those of a POST. */
const codesOfAll = [
  "invalid_parameter",
  "unknown_parameter",
  "unauthorized",
  "insufficient_scope",
  "beyond_limits",
  "ip_not_allowed",
  "rate_limited",
  "internal_error",
  "not_ready",
] as const satisfies ErrorCode[];
const codesOfBody = [
  "invalid_encoding",
  "invalid_json",
  "payload_too_large",
  "unsupported_media_type",
] as const satisfies ErrorCode[];
const codesOfPost = [
  "invalid_idempotency_key",
  "idempotency_key_reused",
  "idempotency_key_in_use",
] as const satisfies ErrorCode[];

/** Codes that belong to no operation alone. */
const codesShared: readonly ErrorCode[] = [...codesOfAll, ...codesOfBody, ...codesOfPost, "feature_not_in_plan"];

function codesOf(contract: Contract): ErrorCode[] {
  const codes: ErrorCode[] = [...(contract.errors ?? []), ...codesOfAll];
  if (hasBody(contract)) codes.push(...codesOfBody);
  if (contract.http.method === "POST") codes.push(...codesOfPost);
  if (featureOf(contract)) codes.push("feature_not_in_plan");
  if (mayWrite(contract)) codes.push("too_many_approvals");
  return codes;
}

/** The parameters of the query and the path. A property filter is one parameter, whatever the properties are called. */
function parametersOf(schemas: Schemas, contract: Contract, fields: Json, required: readonly string[]): Json[] {
  const inPath = pathFields(contract);
  const example = contract.example.input as Json;
  return Object.entries(fields).map(([field, given]) => {
    const { description = schemas.resolve(given as Json).description, ...schema } = given as Json;
    const prefix = prefixOf(contract.input.shape[field]);
    if (prefix !== null)
      return {
        name: prefix,
        in: "query",
        description,
        style: "deepObject",
        explode: true,
        schema: { type: "object", additionalProperties: { type: "string" } },
        examples: exampleOf(prefix === "company" ? { industry: "fintech" } : { seniority: "vp" }),
      };
    return {
      name: field,
      in: inPath.includes(field) ? "path" : "query",
      ...(required.includes(field) ? { required: true } : {}),
      description,
      schema,
      ...(schema.type === "array" ? { style: "form", explode: false } : {}),
      ...(example[field] === undefined ? {} : { examples: exampleOf(example[field]) }),
    };
  });
}

/** The forms in which an operation also takes a file. */
function filesOf({ http: { body } }: Contract, fields: Json): Json {
  if (!body?.file) return {};
  const { [body.file.field]: _, ...others } = fields;
  const file = { type: "string", format: "binary" };
  return {
    "multipart/form-data": {
      schema: { type: "object", properties: { ...others, file }, required: ["file"] },
    },
    "text/csv": { schema: { type: "string" } }, // not binary: orval would make code that does not compile
  };
}

function operationObject(contract: Contract, schemas: Schemas): Json {
  const { method } = contract.http;
  const feature = featureOf(contract);
  const bodied = hasBody(contract);
  const whole = schemas.of(contract.input, bodied ? "body" : "parameters");
  const input = schemas.resolve(whole) as { properties?: Json; required?: string[] };
  const inPath = pathFields(contract);
  const outside = <T>(members: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !inPath.includes(name)));
  const properties = input.properties ?? {};
  const body = outside(properties);
  const required = (input.required ?? []).filter((name) => !inPath.includes(name));
  const named = bodied
    ? Object.fromEntries(Object.entries(properties).filter(([name]) => inPath.includes(name)))
    : properties;
  const parameters = parametersOf(schemas, contract, named, [...inPath, ...required]);
  if (method === "POST") parameters.push({ $ref: "#/components/parameters/IdempotencyKey" });
  const { required: _, ...rest } = input;
  const codes = codesOf(contract);
  const schema =
    inPath.length === 0 ? whole : { ...rest, properties: body, ...(required.length > 0 ? { required } : {}) };
  return {
    operationId: contract.name,
    tags: [contract.tag],
    summary: contract.summary,
    description: contract.description,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(bodied && Object.keys(body).length > 0
      ? {
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: schemas.named(nameOf(contract, "Input"), schema),
                examples: exampleOf(outside(contract.example.input as Json)),
              },
              ...filesOf(contract, body),
            },
          },
        }
      : {}),
    responses: {
      ...successes(contract, schemas),
      ...errorResponses(codes, contract.errors ?? []),
    },
    "x-error-codes": codes,
    "x-required-scope": contract.scope,
    ...(mayWrite(contract) ? { "x-with-approval": true } : {}),
    ...(feature ? { "x-required-plan": planFeatures[feature].plan } : {}),
  };
}

/** The answers of a success: 200 and 201 where the operation may create. */
function successes(contract: Contract, schemas: Schemas): Json {
  const { status = 200 } = contract.http;
  if (status === 204) return { "204": { description: "Done; there is nothing to answer." } };
  const schema = schemas.named(nameOf(contract, "Output"), schemas.of(contract.output, "output"));
  const content = { "application/json": { schema, examples: exampleOf(contract.example.output) } };
  if (typeof status === "number") return { [String(status)]: { description: successText[status], content } };
  return {
    "200": { description: "It existed, and is updated.", content: { "application/json": { schema } } },
    "201": { description: successText[201], content },
  };
}

/** `saveNote` takes a `SaveNoteInput`. */
const nameOf = ({ name }: Contract, side: "Input" | "Output"): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}${side}`;

/** In the plural form, which generators do not copy into every type. */
const exampleOf = (value: unknown): Json => ({ typical: { value } });

const successText: Readonly<Record<number, string>> = { 200: "Success.", 201: "Created." };

const headers = {
  RequestId: {
    description:
      "The id of this request: yours if you sent one, otherwise a new one. Quote it when you report a problem.",
    schema: { type: "string" },
  },
  Authenticate: { description: "`Bearer`: how to authenticate.", schema: { type: "string" } },
  RetryAfter: { description: "Seconds to wait before the request is sent again.", schema: { type: "integer" } },
  RateLimitLimit: { description: "Requests a key may make per minute.", schema: { type: "integer" } },
  RateLimitRemaining: { description: "Requests left in the current minute.", schema: { type: "integer" } },
  RateLimitReset: { description: "Seconds until the count starts again.", schema: { type: "integer" } },
};

const parameters = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "The same caller gets the first answer again for the same key, for 24 hours, also after a rotation of its API key.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
};

/**
 * What any write answers to a key whose writes need approval. Once for all, and not among their `responses`: there,
 * generated clients would give everyone a union of both answers.
 */
const withApproval = (schemas: Schemas): Json => ({
  description:
    "With a key whose writes need approval, all or where a person spoke: nothing was changed yet, because a person must approve it first. The same `Idempotency-Key` gets the same answer.",
  content: { "application/json": { schema: schemas.of(PendingApproval, "output") } },
});

const probe = (operationId: string, summary: string, description: string, ok: Json, failing?: Json): Json => {
  const answer = (text: string, example: Json) => ({
    description: text,
    content: {
      "application/json": { schema: { type: "object", additionalProperties: true }, examples: exampleOf(example) },
    },
  });
  return {
    get: {
      operationId,
      tags: ["Operation"],
      summary,
      description,
      security: [],
      responses: {
        "200": answer("Yes.", ok),
        ...errorResponses(["invalid_request"], ["invalid_request"]),
        ...(failing ? { "503": answer("No.", failing) } : {}),
      },
    },
  };
};

const info = {
  title: "Rapport API",
  version: "2",
  summary: "The context store for sales and go-to-market agents",
  description:
    "Send a workspace API key with every request: `Authorization: Bearer rpt_…`. Create one on the API keys page of your server.\n\nTimes you send are ISO 8601 with an offset, or a date, which means midnight UTC. Times you get are in UTC with milliseconds. A parameter or field that an endpoint does not have is an error that names it. An error is `{error, message, request_id, …}`: `error` is a code that does not change, `message` says how to fix the request. A body may come with `Content-Encoding: gzip`. To repeat a POST safely, send an `Idempotency-Key`: the first answer is kept for 24 hours and repeated with `Idempotency-Replayed: true`, unless it is a 400 for a request that could not be read, 401 to 403, 413, 415, 429 or 5xx. It belongs to the API key that sent it: another one gets 409 `idempotency_key_reused`. A slash at the end of an address makes no difference.\n\nTwo headers may be sent with every request: `x-request-id`, your own id for it (1 to 128 characters of A–Z a–z 0–9 _ -), and `x-service-client`, the name of the calling program such as `acme-outreach/1.4`, which is kept with the last use of the key and in the evidence. Every answer carries `x-request-id`, and `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` once the key is known.\n\n503 `not_ready` means that the database is away for a moment: wait for the seconds of `Retry-After` and send the request again. A write that was answered 503 may have been made; with an `Idempotency-Key`, or an `external_id` where there is one, it is safe to send it again.\n\nA key can be made so that its writes need approval. A write is then checked as ever, but answered 202 with `status: pending_approval` and an `approval_id`; a person approves or rejects it in the app, and `GET /v2/approvals/{id}` says what was decided. Or only what would change what a person said waits so; single values of a call then wait while the rest is done, and `claims` of the answer has their `approval_id`. Each operation that may be answered so has `x-with-approval`.",
  license: { name: "MIT", identifier: "MIT" },
};

/** Every code that some operation may answer with. */
const codesIn = (paths: Readonly<Record<string, Json>>): ErrorCode[] => {
  const all = Object.values(paths).flatMap((path) =>
    Object.values(path as Record<string, { "x-error-codes"?: ErrorCode[] }>).flatMap(
      (one) => one["x-error-codes"] ?? [],
    ),
  );
  return [...new Set(all)].sort();
};

/** What the description says wherever the server is. */
function described(): Json {
  const paths: Record<string, Json> = {};
  const schemas = new Schemas();
  const contracts = operations.map(({ contract }) => contract).filter(({ surface }) => surface === "public");
  for (const contract of contracts.filter(hasBody)) schemas.of(contract.input, "body"); // the names they give come first
  for (const contract of contracts) {
    const path = contract.http.path.replaceAll(/:([a-z_]+)/g, "{$1}");
    paths[path] = { ...paths[path], [contract.http.method.toLowerCase()]: operationObject(contract, schemas) };
  }
  Object.assign(paths, exportPaths(), inboundPaths());
  paths["/healthz"] = probe(
    "checkHealth",
    "Check that the process runs",
    "Answers as long as the process runs, whatever its database does.",
    { status: "ok", uptime_seconds: 5 },
  );
  const backups = { state: "fine", made_at: "2026-11-26T03:00:00.000Z", verified_at: "2026-11-22T03:00:30.000Z" };
  paths["/readyz"] = probe(
    "checkReadiness",
    "Check that requests can be served",
    "Answers 200 when the database answers and is migrated. It also says how the worker, the pages and the backups are.",
    { status: "ready", database: "ok", migrations: "ok", worker: "running", pages: "ready", backups },
    { status: "not_ready", database: "unreachable", migrations: "unknown", worker: "stopped", pages: "ready", backups },
  );
  return {
    security: [{ apiKey: [] }],
    tags: tagsOf(paths),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "A workspace API key, created in the app under API keys.",
        },
      },
      headers,
      parameters,
      responses: { ...inboundResponses, ...sharedResponses(codesIn(paths), codesShared) },
      "x-with-approval": { "202": withApproval(schemas) },
      schemas: { ...schemas.components, Error: errorSchema, ErrorCode: errorCodeSchema(codesIn(paths)) },
    },
  };
}

let shared: Json | undefined;

/** The OpenAPI 3.1 description of the public API, made from the contracts, once in a process. */
export function openApiDocument(origin: string): Json {
  shared ??= described();
  return {
    openapi: "3.1.0",
    info: { ...info, contact: { name: "The operator of this server", url: origin } },
    servers: [{ url: origin }],
    ...shared,
  };
}
