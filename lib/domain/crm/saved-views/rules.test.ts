import { expect, test } from "vitest";
import { strayParameter } from "./rules.ts";

test.each([
  ["people", "", null],
  ["people", "pipeline_stage=client&search=ann&sort=created_desc&cols=email,phone&property=region%3DDACH", null],
  ["people", "property.region=DACH&property.region=Nordics&company.industry=fintech", null],
  ["people", "company=industry%3Dfintech", null],
  ["people", "title.industry=cfo", "title.industry"],
  ["companies", "property.industry=fintech", null],
  ["companies", "company.industry=fintech", "company.industry"],
  ["companies", "domain=acme.com&last_activity_after=30d", null],
  ["companies", "pipeline_stage=client", "pipeline_stage"],
  ["people", "cursor=abc", "cursor"],
  ["people", "status=archived&new=1", "new"],
] as const)("of %s, the place %j has the stray parameter %s", (list, place, stray) => {
  expect(strayParameter(list, place)).toBe(stray);
});
