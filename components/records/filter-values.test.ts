import { expect, test } from "vitest";
import { changeOf, choicesLike, filtersLike, valuesIn } from "./filter-values.ts";
import type { Filter, PlaceValue } from "./list-kind.ts";

const stage: Filter = {
  id: "pipeline_stage",
  label: "Stage",
  names: "funnel",
  kind: "choices",
  choices: [
    { value: "aware", label: "Aware" },
    { value: "client", label: "Client" },
  ],
};
const score: Filter = { id: "min_icp_score", upTo: "max_icp_score", label: "ICP score", kind: "range" };
const property: Filter = { id: "property", label: "Property", kind: "property" };
const company: Filter = { id: "company", label: "Company property", kind: "property" };
const industry: Filter = {
  id: "company",
  label: "Company industry",
  kind: "property",
  property: "industry",
  names: "sector",
};

test.each<[Filter, Record<string, PlaceValue>, PlaceValue[]]>([
  [stage, {}, []],
  [stage, { pipeline_stage: "aware,client" }, ["aware,client"]],
  [score, {}, []],
  [score, { min_icp_score: 50, max_icp_score: null }, ["50.."]],
  [score, { min_icp_score: 50, max_icp_score: 70 }, ["50..70"]],
  [score, { max_icp_score: 0 }, ["..0"]],
  [property, { property: ["a=1", "b=2"] }, ["a=1", "b=2"]],
  [company, { company: ["industry=fintech"], property: ["a=1"] }, ["industry=fintech"]],
  [industry, { company: ["industry=fintech"] }, []],
  [property, { property: ["b=lte:9", "a=1", "b=gte:2"] }, ["a=1", "b=between:2..9"]],
])("%o in %j", (filter, place, values) => {
  expect(valuesIn(filter, place)).toEqual(values);
});

test.each<[Filter, Record<string, PlaceValue>, PlaceValue, PlaceValue, Record<string, PlaceValue>]>([
  [stage, {}, null, "aware", { pipeline_stage: "aware" }],
  [stage, { pipeline_stage: "aware" }, "aware", null, { pipeline_stage: null }],
  [score, {}, null, "50..", { min_icp_score: 50, max_icp_score: null }],
  [score, { min_icp_score: 50 }, "50..", "..0", { min_icp_score: null, max_icp_score: 0 }],
  [score, { min_icp_score: 50 }, "50..", null, { min_icp_score: null, max_icp_score: null }],
  [property, {}, null, "a=1", { property: ["a=1"] }],
  [industry, { company: ["size=gte:5"] }, null, "industry=x", { company: ["size=gte:5", "industry=x"] }],
  [property, { property: ["a=1", "b=2", "c=3"] }, "b=2", "b=9", { property: ["a=1", "b=9", "c=3"] }],
  [property, { property: ["a=1", "b=2"] }, "a=1", "b=2", { property: ["b=2"] }],
  [property, { property: ["a=1"] }, "b=", ["b=gte:1", "b=lte:2"], { property: ["a=1", "b=gte:1", "b=lte:2"] }],
  [property, { property: ["a=1"] }, "a=1", null, { property: null }],
  [property, {}, null, "a=between:1..2", { property: ["a=gte:1", "a=lte:2"] }],
  [
    property,
    { property: ["a=gte:1", "a=lte:2", "c=3"] },
    "a=between:1..2",
    "a=gte:5",
    { property: ["a=gte:5", "c=3"] },
  ],
  [property, { property: ["a=gte:1", "a=lte:2"] }, "a=between:1..2", null, { property: null }],
])("%o in %j, from %j to %j", (filter, place, before, after, change) => {
  expect(changeOf(filter, place, before, after)).toEqual(change);
});

test.each([
  ["", "Stage, ICP score, Company industry"],
  ["Indu", "Company industry"],
  ["min score", "ICP score"],
  ["company x", ""],
  ["sector", "Company industry"],
  ["funnel", "Stage"],
])("typing %j finds: %s", (text, labels) => {
  expect(
    filtersLike([stage, score, industry], text)
      .map(({ label }) => label)
      .join(", "),
  ).toBe(labels);
});

test.each([
  ["cli", ["client"]],
  ["Aware", ["aware"]],
  ["c", []],
  ["fintech", []],
])("typing %j names the choices %j", (text, values) => {
  expect(choicesLike([stage, score, industry], text).map(({ choice }) => choice.value)).toEqual(values);
});
