import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addressWith,
  changedState,
  isPart,
  parseAsBoolean,
  parseAsFields,
  parseAsFloat,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  parseAsStrings,
  readState,
  withDefault,
} from "./query-state.ts";

const parsers = {
  search: parseAsString,
  sort: withDefault(parseAsStringLiteral(["newest", "oldest"]), "newest"),
  known: parseAsBoolean,
  least: parseAsInteger,
  most: parseAsFloat,
  cols: parseAsStrings,
};
const nothing = { search: null, sort: "newest", known: null, least: null, most: null, cols: null };

/** The state after the address was written and read again. */
const returned = (state: Parameters<typeof changedState<typeof parsers>>[2]) => {
  const { searchParams } = new URL(
    addressWith("/people", changedState(parsers, new URLSearchParams(), state)),
    "http://a",
  );
  return readState(parsers, searchParams);
};

describe("a page's state in the address", () => {
  test("what is missing or cannot be read is null, or its default", () => {
    expect(readState(parsers, new URLSearchParams())).toEqual(nothing);
    expect(readState(parsers, new URLSearchParams("sort=nonsense&least=many&most="))).toEqual(nothing);
    expect(readState(parsers, new URLSearchParams("known=nonsense"))).toEqual({ ...nothing, known: false });
  });

  test("the server reads it from what Next hands over; of a repeated part the first counts", () => {
    const given = { search: ["first", "second"], cols: "name,email", other: "1", least: undefined };
    expect(readState(parsers, given)).toEqual({ ...nothing, search: "first", cols: ["name", "email"] });
  });

  test("every state survives the address", () => {
    const state = fc.record({
      search: fc.option(fc.string({ unit: "grapheme" })),
      sort: fc.constantFrom("newest" as const, "oldest" as const),
      known: fc.option(fc.boolean()),
      least: fc.option(fc.integer()),
      most: fc.option(fc.float({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)),
      // A list of one empty text is written like the empty list, and %2C stands for a comma.
      cols: fc.option(
        fc.array(
          fc.string({ minLength: 1 }).filter((text) => !text.includes("%2C")),
          { minLength: 1 },
        ),
      ),
    });
    fc.assert(
      fc.property(state, (given) => {
        expect(returned(given)).toEqual(given);
      }),
    );
  });

  test("a change leaves the other parts, removes what is null or the default, and skips what is undefined", () => {
    const before = new URLSearchParams("search=anna&sort=oldest&tab=facts&least=3");
    const after = changedState(parsers, before, { search: null, sort: "newest", least: undefined, known: true });
    expect(after.toString()).toBe("tab=facts&least=3&known=true");
    expect(before.get("search")).toBe("anna");
  });

  test("fields of a part are parameters of their own", () => {
    const fields = { property: parseAsFields, sort: parseAsString };
    const address = new URLSearchParams(
      "property.region=DACH&property.region=Nordics&sort=name&property.note=a%3Db%2Cc",
    );
    expect(readState(fields, address)).toEqual({
      property: ["region=DACH", "region=Nordics", "note=a=b,c"],
      sort: "name",
    });
    const ofPage = { "property.region": ["DACH", "Nordics"], "property.note": "a=b,c", sort: "name" };
    expect(readState(fields, ofPage)).toEqual({
      ...readState(fields, address),
      property: ["region=DACH", "region=Nordics", "note=a=b,c"],
    });
    expect(readState(fields, new URLSearchParams("property=region%3DDACH%2Cnote%3Da%252Cb"))).toEqual({
      property: ["region=DACH", "note=a,b"],
      sort: null,
    });
    const after = changedState(fields, new URLSearchParams("property=a%3D1&property.b=2&sort=name"), {
      property: ["region=DACH", "note=a=b"],
    });
    expect(addressWith("/people", after)).toBe("/people?sort=name&property.region=DACH&property.note=a=b");
    expect(changedState(fields, after, { property: null }).toString()).toBe("sort=name");
    expect(["property.a", "property", "sort.a", "other.a"].map((name) => isPart(fields, name))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test.each([
    ["", "/people"],
    ["cols=name%2Cemail&property=region%3DDACH", "/people?cols=name,email&property=region=DACH"],
    ["search=a+%26+b%2Bc%23%25", "/people?search=a+%26+b%2Bc%23%25"],
    ["search=%22%3Cb%3E", "/people?search=%22%3Cb%3E"],
  ])("an address of %s is %s", (parameters, address) => {
    expect(addressWith("/people", new URLSearchParams(parameters))).toBe(address);
  });
});
