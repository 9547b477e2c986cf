import { expect, test } from "vitest";
import { newestFacts } from "./newest.ts";

const item = (entity_id: string, property: string, value: string) => ({
  id: `${entity_id}${property}${value}`,
  entity_id,
  entity_name: entity_id,
  kind: "state" as const,
  property,
  value,
  source: "crm",
  type: property,
  summary: value,
  when: "2026-06-03T09:00:00.000Z",
  recorded_at: "2026-06-03T09:00:00.000Z",
});

test("the latest value of each fact, without names and the profile", () => {
  const items = [
    item("anna", "job_title", "CTO"),
    item("anna", "first_name", "Anna"),
    item("anna", "job_title", "VP"),
    item("workspace", "note.1", "ICP"),
    item("anna", "identifier.email", "anna@acme.com"),
    item("anna", "superseded.cal_com.1", "2"),
    item("ben", "job_title", "CEO"),
    item("ben", "team_size", "12"),
  ];
  const learned = {
    matched: 6,
    returned: 6,
    sampled: false,
    has_more: false,
    next_cursor: null,
    return: "observations" as const,
    items,
    rollups: { by_type: {}, by_source: {} },
    meta: { examined: 6, terms: [] },
  };
  expect(newestFacts(learned, 2).map(({ value }) => value)).toEqual(["CTO", "CEO"]);
});
