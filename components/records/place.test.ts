import { expect, test } from "vitest";
import { isFiltered, queryOf, withoutFilters } from "./place.ts";

const place = {
  search: "acme",
  pipeline_stage: null,
  has_email: false,
  company: ["industry=fintech"],
  property: ["region=DACH", "region=Nordics", "note=a=b"],
  sort: "created_desc",
  cols: ["name", "email"],
  new: null,
};

test("the address becomes the request of the API", () => {
  expect(queryOf(place)).toEqual({
    search: "acme",
    has_email: false,
    sort: "created_desc",
    "property.region": ["DACH", "Nordics"],
    "property.note": ["a=b"],
    "company.industry": ["fintech"],
  });
});

test("sort and columns are not filters", () => {
  expect(isFiltered(place)).toBe(true);
  expect(isFiltered({ ...place, ...withoutFilters(place) })).toBe(false);
});
