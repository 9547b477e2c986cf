import { expect, test } from "vitest";
import { strayParameter } from "./rules.ts";

test.each([
  ["people", "", null],
  ["people", "pipeline_stage=client&search=ann&sort=created_desc&cols=email,phone&property=region%3DDACH", null],
  ["companies", "domain=acme.com&last_activity_after=30d", null],
  ["companies", "pipeline_stage=client", "pipeline_stage"],
  ["people", "cursor=abc", "cursor"],
  ["people", "status=archived&new=1", "new"],
] as const)("of %s, the place %j has the stray parameter %s", (list, place, stray) => {
  expect(strayParameter(list, place)).toBe(stray);
});
