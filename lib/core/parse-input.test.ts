import { describe, expect, test } from "vitest";
import { z } from "zod";
import { isFault } from "./errors.ts";
import { type Contract, defineOperation } from "./operation.ts";
import { parseInput, parsePart, supportedBy } from "./parse-input.ts";
import { BLANK, Id, namedFilters, nonBlank } from "./schema.ts";

const contract = defineOperation({
  name: "saveThing",
  tag: "Things",
  summary: "An operation of a test",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/lists/:list/things/:id" },
  input: z.strictObject({
    list: z.string(),
    id: Id,
    title: nonBlank(),
    email: z.string().optional(),
    phone: z.string().nullish(),
    type: z.enum(["call", "note"]).default("note"),
    mode: z.enum(["replace", "append"]).optional(),
    observations: z.array(z.strictObject({ kind: z.enum(["event", "state"]) })).optional(),
    metadata: z.strictObject({ a: z.int() }).optional(),
    place: z.strictObject({ a: z.int() }).optional(),
    events: z.array(nonBlank()).min(1, BLANK).optional(),
    count: z.int().min(1, "must be at least 1.").optional(),
    label: nonBlank().optional(),
    properties: namedFilters("property", z.record(z.string().regex(/^[a-z]+$/, "must be a word"), z.int()).optional()),
  }),
  output: z.unknown() as z.ZodType,
  codes: {
    missing: {
      "email|phone": "contact_id_or_email_required",
      title: "title_required",
      count: "since_required",
      events: "url_and_events_required",
    },
    fields: {
      id: "note_not_found",
      type: "invalid_type",
      observations: "invalid_observation",
      metadata: "invalid_metadata",
    },
  },
  example: { input: { list: "a", id: "11111111-1111-1111-1111-111111111111", title: "A" } },
});

const right = {
  list: "a",
  id: "0190A6E0-0000-7000-8000-000000000001",
  title: "A",
  email: "ada@acme.com",
};

/** What is read of it; of a refusal its code, what it says besides, and its sentence. */
function read(raw: unknown, { codes }: Pick<Contract, "codes"> = contract): unknown {
  const { codes: _own, ...rest } = contract;
  try {
    return parseInput({ ...rest, ...(codes ? { codes } : {}) }, raw);
  } catch (error) {
    if (!isFault(error)) throw error;
    const { problems: _, ...extras } = error.extras;
    return [error.code, extras, error.message];
  }
}

test("a refusal of several parameters says what is wrong with each, and one of a single parameter does not", () => {
  const problemsOf = (raw: unknown) => {
    try {
      return parseInput(contract, raw);
    } catch (error) {
      return isFault(error) ? error.extras.problems : error;
    }
  };
  expect(problemsOf({ ...right, title: "", type: "x", mode: "x", place: { a: "x", b: 1 } })).toEqual([
    { parameter: "title", error: "title_required", message: TITLE },
    {
      parameter: "type",
      error: "invalid_type",
      message: "type is not one of the types. type: must be one of call, note.",
    },
    { parameter: "mode", error: "invalid_parameter", message: "mode: must be one of replace, append." },
    { parameter: "place.a", error: "invalid_parameter", message: "place.a: must be a number, not a string." },
    { parameter: "place", error: "invalid_parameter", message: "place: has no field b." },
  ]);
  expect(problemsOf({ ...right, mode: "x" })).toBeUndefined();
  expect(problemsOf({ ...right, events: Array.from({ length: 1_000 }, () => "") })).toHaveLength(20);
});

test("what is right is read as its schema says", () => {
  const id = right.id.toLowerCase();
  expect(read(right)).toEqual({ ...right, id, type: "note" });
  expect(read({ ...right, email: undefined, phone: "+49", properties: { rank: 3 } })).toEqual({
    ...right,
    id,
    email: undefined,
    phone: "+49",
    type: "note",
    properties: { rank: 3 },
  });
});

test("what no operation takes is refused, but not again in a part that came by that check", () => {
  expect(read({ ...right, list: "a\0" })).toMatchObject([
    "invalid_parameter",
    { parameter: "list" },
    expect.any(String),
  ]);
  expect(parsePart(contract, { ...right, list: "a\0" }).list).toBe("a\0");
  expect(() => parsePart(contract, { ...right, list: 1 })).toThrow("list: ");
});

const TITLE = "title is required and must not be blank.";
const NEITHER = "Say who it happened with: contact_id or email.";
const type = (wanted: string, got: string): string => `must be ${wanted}, not ${got}`;

describe("a refusal has the code of its contract, then that of all endpoints", () => {
  test.each<[string, unknown, string, object, string]>([
    ["neither of two fields", { ...right, email: undefined }, "contact_id_or_email_required", {}, NEITHER],
    ["both blank", { ...right, email: " ", phone: null }, "contact_id_or_email_required", {}, NEITHER],
    ["both missing, and others wrong", { title: "", no: 1 }, "contact_id_or_email_required", {}, NEITHER],
    ["a missing field", { ...right, title: undefined }, "title_required", {}, TITLE],
    ["a field that is null", { ...right, title: null }, "title_required", {}, TITLE],
    ["a blank field", { ...right, title: "\n" }, "title_required", {}, TITLE],
    ["a missing field before a wrong one", { ...right, id: "x", title: "" }, "title_required", {}, TITLE],
    [
      "a wrong value of a field that is there",
      { ...right, title: 1 },
      "invalid_parameter",
      { parameter: "title" },
      `title: ${type("a string", "a number")}.`,
    ],
    [
      "a blank field without a code",
      { ...right, label: " " },
      "invalid_parameter",
      { parameter: "label" },
      "label: must not be blank.",
    ],
    [
      "a field with a code for being missing, that is too small",
      { ...right, count: 0 },
      "invalid_parameter",
      { parameter: "count" },
      "count: must be at least 1.",
    ],
    [
      "an empty list",
      { ...right, events: [] },
      "url_and_events_required",
      {},
      "Both url and events are required, and events must name at least one event.",
    ],
    [
      "a blank item of a list",
      { ...right, events: ["a", " "] },
      "invalid_parameter",
      { parameter: "events.1" },
      "events.1: must not be blank.",
    ],
    [
      "an unknown field of a field without a code",
      { ...right, place: { a: 1, b: 2 } },
      "invalid_parameter",
      { parameter: "place" },
      "place: has no field b.",
    ],
    [
      "a wrong field of a field without a code",
      { ...right, place: { a: "x" } },
      "invalid_parameter",
      { parameter: "place.a" },
      `place.a: ${type("a number", "a string")}.`,
    ],
    [
      "text that is no id",
      { ...right, id: "x" },
      "note_not_found",
      { parameter: "id" },
      "No note of this workspace has that id. id: must be an id (a UUID).",
    ],
    [
      "a number for an id",
      { ...right, id: 1 },
      "invalid_parameter",
      { parameter: "id" },
      `id: ${type("a string", "a number")}.`,
    ],
    [
      "a value that is not among those allowed",
      { ...right, type: "x" },
      "invalid_type",
      { parameter: "type", allowed: ["call", "note"] },
      "type is not one of the types. type: must be one of call, note.",
    ],
    [
      "a value that is not among those allowed, without a code",
      { ...right, mode: "x" },
      "invalid_parameter",
      { parameter: "mode", allowed: ["replace", "append"] },
      "mode: must be one of replace, append.",
    ],
    [
      "a field of an item",
      { ...right, observations: [{ kind: "event" }, { kind: "x" }] },
      "invalid_observation",
      { parameter: "observations.1.kind", index: 1, allowed: ["event", "state"] },
      "One of the observations is not valid; nothing was written. observations.1.kind: must be one of event, state.",
    ],
    [
      "an unknown field of a field",
      { ...right, metadata: { a: 1, b: 2 } },
      "invalid_metadata",
      { parameter: "metadata" },
      "metadata must be a JSON object of at most 32 KiB. metadata: has no field b.",
    ],
    [
      "a code of the contract before an unknown field",
      { ...right, type: "x", no: 1 },
      "invalid_type",
      { parameter: "type", allowed: ["call", "note"] },
      "type is not one of the types. type: must be one of call, note.",
    ],
    [
      "an unknown field before a wrong value",
      { ...right, list: 1, no: 1, other: 2 },
      "unknown_parameter",
      {
        parameter: "no",
        supported: [
          "title",
          "email",
          "phone",
          "type",
          "mode",
          "observations",
          "metadata",
          "place",
          "events",
          "count",
          "label",
          "property.<name>",
        ],
      },
      "no is not a parameter of this endpoint.",
    ],
    [
      "the first of two wrong values",
      { ...right, list: 1, mode: "x" },
      "invalid_parameter",
      { parameter: "list" },
      `list: ${type("a string", "a number")}.`,
    ],
    [
      "a wrong value of a property filter",
      { ...right, properties: { rank: "x" } },
      "invalid_parameter",
      { parameter: "property.rank" },
      `property.rank: ${type("a number", "a string")}.`,
    ],
    [
      "a wrong name of a property filter",
      { ...right, properties: { "9": 1 } },
      "invalid_parameter",
      { parameter: "property.9" },
      "property.9: must be a word.",
    ],
    [
      "a property filter that is none",
      { ...right, properties: 1 },
      "invalid_parameter",
      { parameter: "properties" },
      `properties: ${type("an object", "a number")}.`,
    ],
    ["null", null, "invalid_parameter", { parameter: "" }, `: ${type("an object", "null")}.`],
    ["text", "x", "invalid_parameter", { parameter: "" }, `: ${type("an object", "a string")}.`],
  ])("%s", (_, raw, code, extras, message) => {
    expect(read(raw)).toEqual([code, extras, message]);
  });

  test.each([{}, { codes: {} }])("and without codes it is a parameter that is not accepted: %j", (of) => {
    expect(read({ ...right, title: "" }, of)).toEqual([
      "invalid_parameter",
      { parameter: "title" },
      "title: must not be blank.",
    ]);
    expect(read({ ...right, id: "x" }, of)).toEqual([
      "invalid_parameter",
      { parameter: "id" },
      "id: must be an id (a UUID).",
    ]);
    expect(read({ ...right, email: undefined }, of)).toMatchObject({ title: "A" });
  });

  test("and of two pairs of which both fields are missing, the first", () => {
    const missing = { "email|phone": "contact_id_or_email_required", "mode|label": "type_required" } as const;
    expect(read({ ...right, email: undefined }, { codes: { missing } })).toMatchObject([
      "contact_id_or_email_required",
      {},
      NEITHER,
    ]);
  });
});

test("what is supported are the fields outside the path, a property filter as it is written", () => {
  const { http, input } = { ...contract, http: { ...contract.http, path: "/v2/things" } };
  expect(supportedBy({ ...contract, http, input } as unknown as Contract)).toEqual([
    "list",
    "id",
    ...supportedBy(contract as unknown as Contract),
  ]);
});
