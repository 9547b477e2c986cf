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
  ["property=email%3Dcontains%3Aanna%40acme.com%2Cregion%3DDACH", "property=region%3DDACH"],
  ["property=email%3DANNA%40acme.com", ""],
  ["property=email%3Din%3Aanna%40acme.com%252Cbob%40acme.com&sort=created_desc", "sort=created_desc"],
  ["property.email=contains%3Aanna%40acme.com&property.region=DACH", "property.region=DACH"],
  ["property.email=in%3Aanna%40acme.com%2Cbob%40acme.com&sort=created_desc", "sort=created_desc"],
  ["company.email=anna%40acme.com&company.industry=fintech", "company.industry=fintech"],
  ["property=email%3Dhanna%40acme.com,a%3Db", null],
])("the place %j without Anna is %j", (place, expected) => {
  expect(placeWithout(place, anna)).toBe(expected);
});
