import { expect, test } from "vitest";
import type { Change } from "../contract.ts";
import { wordsByRecord } from "./words.ts";

const ANNA = "0190a6e0-0000-7000-8000-000000000010";
const ACME = "0190a6e0-0000-7000-8000-000000000011";
const names = new Map([
  [ANNA, { name: "Anna Smith", company: "Acme" }],
  [ACME, { name: "Acme", company: null }],
]);

let count = 0;
const change = (more: Partial<Change>): Change => ({
  cursor: String(++count),
  type: "state",
  at: `2026-06-03T09:00:00.${String(count).padStart(3, "0")}Z`,
  entity_id: ANNA,
  entity_name: "Anna Smith",
  source: "api",
  actor: "api_key:1",
  ...more,
});

test.each<[string, Partial<Change>, string]>([
  ["a new record", { type: "person.created" }, "new"],
  ["a title", { property: "job_title", value: "VP Sales" }, "job title now VP Sales"],
  ["a title that changed", { property: "job_title", value: "VP", previous: "CFO" }, "job title CFO → VP"],
  ["a title that ended", { property: "job_title", value: null, previous: "CFO" }, "job title no longer CFO"],
  ["an employer", { property: "works_at", value: ACME }, "works at now Acme"],
  [
    "an activity",
    { type: "activity", property: "interaction.call", value: { description: "Pricing" } },
    "call: Pricing",
  ],
  ["a stage", { type: "stage", value: "evaluating", previous: "aware" }, "stage aware → evaluating"],
  ["a merge", { type: "merge", value: { merge_id: "1", other_id: ACME } }, "merged with Acme"],
])("%s", (_, one, words) => {
  expect(wordsByRecord([change(one)], names)[0]?.changes).toEqual([words]);
});

test("records come with the latest first, a stage with what moved it, a property once with its first value", () => {
  const reply = change({ id: ACME, type: "activity", property: "interaction.email_received", value: {} });
  const [first, second, ...rest] = wordsByRecord(
    [
      change({ entity_id: "gone", entity_name: null, type: "erased" }),
      change({ property: "budget", value: 1, previous: 0 }),
      reply,
      change({
        type: "stage",
        property: "pipeline_stage",
        value: "evaluating",
        previous: "interested",
        caused_by: ACME,
      }),
      change({ property: "budget", value: 2, previous: 1 }),
    ],
    names,
  );
  expect(first).toMatchObject({
    name: "Anna Smith",
    company: "Acme",
    changes: ["budget 0 → 2", "stage interested → evaluating after email received", "email received"],
  });
  expect([second?.name, rest]).toEqual(["an erased record", []]);
});
