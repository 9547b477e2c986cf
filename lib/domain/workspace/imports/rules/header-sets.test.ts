import { expect, test } from "vitest";
import { headerSets } from "#lib/testing/header-sets.fixture.ts";
import { propertyName } from "../words.ts";
import { mappingProblem, proposeMapping } from "./mapping.ts";

test.each(headerSets.map((set) => [set.source, set] as const))(
  "the columns of %s",
  (_source, { kind = "people", columns }) => {
    const headers = columns.map(([header]) => header);
    const found = proposeMapping(kind, headers, [columns.map(([, value]) => value)]);
    const expected = columns.map(([header, , to]) => [
      header,
      to === undefined ? `property.${propertyName(header)}` : to,
    ]);
    expect(found.map(({ header, to }) => [header, to])).toEqual(expected);
    expect(mappingProblem(kind, found)).toBeNull();
  },
);

test("there are forty sets or more", () => {
  expect(headerSets.length).toBeGreaterThanOrEqual(40);
});
