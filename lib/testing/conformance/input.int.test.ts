/**
 * What every operation does with input that is not what its contract says. What is wrong with a body before its fields are
 * looked at is proven with one operation of each kind.
 */
import { describe, expect, test } from "vitest";
import { pathFields } from "#lib/core/operation.ts";
import { prefixOf } from "#lib/core/schema.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { useServer } from "../server.fixture.ts";
import { bodyOperations, castOf, everyOperation, oneOfEachKind } from "./cast.ts";
import { inputOf } from "./scenarios.ts";
import { type SurfaceRequest, sender } from "./surface.ts";
import { isWrongOnTheWire, mutationsOf, refusalOf } from "./wrong-values.ts";

const server = useServer();
const { send } = sender(server.url);

/** The fields of an operation's input that are not in its path. */
const fieldsOf = ({ contract }: Operation): string[] =>
  Object.keys(contract.input.shape).filter((field) => !pathFields(contract).includes(field));

/** What a caller may send, as it is called there. */
const supportedOf = (operation: Operation): string[] =>
  fieldsOf(operation)
    .map((field) => {
      const prefix = prefixOf(operation.contract.input.shape[field]);
      return prefix === null ? field : `${prefix}.<name>`;
    })
    .sort();

/** Parameters of a query that take any text. */
const ANY_TEXT: Readonly<Record<string, string | readonly string[]>> = {
  listAudit: "action",
  listCompanies: "properties",
  listCrmRuns: "provider",
  listFacts: ["categories", "sections"],
  listNotes: "focus",
  listPeople: ["properties", "company"],
};

const unknownField = { "No-Such-Field": "1" };

describe.each(everyOperation)("%s", (name, operation) => {
  const takesValues = supportedOf(operation).length > 0;
  const title = takesValues ? "and each wrong value, with the code for it" : "and takes nothing else outside its path";

  test(`refuses what it does not have, ${title}, and writes nothing`, async () => {
    const { contract } = operation;
    const { stage, as } = await castOf(operation);
    const right = await inputOf(name, stage);
    const before = await stage.rows();
    const unknown = await send(operation, { ...right, ...unknownField }, as);
    expect(unknown.body).toMatchObject({ error: "unknown_parameter", parameter: "No-Such-Field" });
    expect((unknown.body.supported as string[]).toSorted()).toEqual(supportedOf(operation));
    const wrong = mutationsOf(contract, right).filter(isWrongOnTheWire(contract));
    const broken = new Set(wrong.map(({ what }) => what.split(/[ .]/)[0]));
    const unbroken = fieldsOf(operation).filter((field) => !broken.has(field));
    expect(unbroken, "fields of which no value is wrong").toEqual([ANY_TEXT[name] ?? []].flat());
    for (const mutation of wrong) {
      const { status, text, body } = await send(operation, mutation.input, as);
      expect([status, body.error], `${name} ${mutation.what}: ${text}`).toEqual(refusalOf(contract, mutation));
    }
    expect(await stage.rows()).toEqual(before);
  });
});

const unreadable: [what: string, body: BodyInit][] = [
  ["nothing but space", " "],
  ["broken JSON", '{"a":'],
  ["JSON and more", "{} {}"],
  ["a comment", "{/**/}"],
  ["a trailing comma", '{"a":1,}'],
  ["NaN", '{"a":NaN}'],
  ["null", "null"],
  ["a list", "[]"],
  ["a string", '"text"'],
  ["a number", "7"],
  ["bytes that are no UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ["UTF-16", new Uint8Array(Buffer.from('{"a":1}', "utf16le"))],
  ["fifty thousand opened lists", "[".repeat(50_000)],
];

/** JSON that Postgres or JSON itself cannot carry. */
const uncarried = [
  '"a\\u0000b"',
  '"\\ud800"',
  '"x\\udc00"',
  "1e400",
  "-1e400",
  String(2 ** 60),
  '{"__proto__":{"a":1}}',
  `${"[".repeat(70)}${"]".repeat(70)}`,
];

const unsupported: [what: string, headers: Record<string, string>][] = [
  ["another type", { "content-type": "text/plain" }],
  ["a form", { "content-type": "application/x-www-form-urlencoded" }],
  ["another charset", { "content-type": "application/json; charset=latin1" }],
  ["a type like ours", { "content-type": "application/jsonp" }],
  ["an empty type", { "content-type": "" }],
  ["an encoding that is not read", { "content-encoding": "br" }],
  ["layered compression", { "content-encoding": "identity, br" }],
];

const supported = [
  "application/json; charset=utf-8",
  'application/json;charset="UTF-8"',
  "Application/JSON",
  "application/json; charset=utf8",
];

const change =
  (body: BodyInit, headers: Record<string, string> = {}) =>
  ({ init }: SurfaceRequest): void => {
    init.body = body;
    Object.assign(init.headers, headers);
  };

describe.each(oneOfEachKind(bodyOperations))("%s", (name, operation) => {
  const prepare = async () => {
    const { stage, as } = await castOf(operation);
    const input = await inputOf(name, stage);
    return (body: BodyInit, headers?: Record<string, string>) => send(operation, input, as, change(body, headers));
  };

  test("refuses a body that is no JSON object with 400 invalid_json", async () => {
    const sendBody = await prepare();
    for (const [what, body] of unreadable) {
      if (what === "a list" && operation.contract.http.body?.lines !== undefined) continue;
      const answered = await sendBody(body);
      expect([answered.status, answered.body.error], what).toEqual([400, "invalid_json"]);
    }
  });

  test("refuses what Postgres or JSON cannot carry in any field, with 400 that names it", async () => {
    const sendBody = await prepare();
    const field = supportedOf(operation)[0] ?? "No-Such-Field";
    for (const bad of uncarried) {
      const answered = await sendBody(`{${JSON.stringify(field)}:${bad}}`);
      expect([answered.status, answered.body.error], `${bad} ${answered.text}`).toEqual([400, "invalid_parameter"]);
      expect(String(answered.body.parameter), bad).toMatch(new RegExp(`^${field}`));
    }
  });

  test("refuses another content type, charset or encoding with 415", async () => {
    const sendBody = await prepare();
    for (const [what, headers] of unsupported) {
      const answered = await sendBody('{"a":1}', headers);
      expect([answered.status, answered.body.error], what).toEqual([415, "unsupported_media_type"]);
    }
  });

  test("reads JSON however its type is written", async () => {
    const sendBody = await prepare();
    for (const type of supported) {
      const answered = await sendBody('{"No-Such-Field":1}', { "content-type": type });
      expect(answered.status, `${type} ${answered.text}`).toBe(400);
      expect(answered.body.error, type).not.toBe("invalid_json");
    }
  });

  test("refuses a parameter in the query", async () => {
    const { stage, as } = await castOf(operation);
    const answered = await send(operation, await inputOf(name, stage), as, (sent) => {
      sent.path += "?limit=1";
    });
    expect(answered.body).toMatchObject({ error: "unknown_parameter", parameter: "limit" });
  });
});
