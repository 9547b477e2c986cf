import { expect, test } from "vitest";
import { placeWithout } from "./rules.ts";

const anna = new Set(["anna@acme.com", "https://www.linkedin.com/in/anna"]);

test.each([
  ["pipeline_stage=client", null],
  ["", null],
  ["email=Anna%40acme.com&sort=created_desc", "sort=created_desc"],
  ["search=anna%40acme.com", ""],
  ["search=hanna%40acme.com", null],
  ["linkedin_url=https%3A%2F%2Fwww.linkedin.com%2Fin%2Fanna&cols=email", "cols=email"],
])("the place %j without Anna is %j", (place, expected) => {
  expect(placeWithout(place, anna)).toBe(expected);
});
