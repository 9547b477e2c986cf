import { expect, test } from "vitest";
import type { Signal } from "#lib/domain/knowledge/scoring/contract.ts";
import { draftOf, isSameModel, newSignal, problemsIn, type SignalDraft, signalsOf } from "./draft.ts";

const signal = (rule: Signal["rule"]): Signal => ({ key: "a", label: "A", weight: 3, rule });

test.each<[string, Signal["rule"]]>([
  ["a list", { feature: "industry", op: "in", value: ["fintech", "banking"] }],
  ["a number", { feature: "employee_count", op: ">=", value: 50 }],
  ["a range", { feature: "employee_count", op: "scaled", value: [10, 500] }],
  ["the least and the most", { feature: "employee_count", op: "between", value: [50, 500] }],
  ["a text", { feature: "company", op: "==", value: "Acme" }],
  ["a property that is known", { feature: "company.funding_stage", op: "exists" }],
  ["a property that is not", { feature: "company.funding_stage", op: "exists", value: false }],
  ["what rules out", { feature: "industry", op: "!=", value: ["x"], disqualify: true }],
])("%s is the same after it was edited and left alone", (_, rule) => {
  expect(signalsOf([draftOf(signal(rule))])).toEqual([signal(rule)]);
  expect(problemsIn([draftOf(signal(rule))])).toEqual({});
});

test.each<[Partial<SignalDraft>, string]>([
  [{ label: " " }, "label"],
  [{ feature: "company." }, "feature"],
  [{ value: " , " }, "value"],
  [{ op: ">", value: "many" }, "value"],
  [{ op: "scaled", value: "5" }, "value"],
  [{ op: "between", value: "500, 50" }, "value"],
  [{ op: "scaled", value: "5, 5" }, "value"],
  [{ op: "==", value: "" }, "value"],
])("%j is shown at its %s", (change, place) => {
  const draft = { ...draftOf(signal({ feature: "industry", op: "in", value: ["x"] })), ...change };
  expect(Object.keys(problemsIn([draft]).a ?? {})).toEqual([place]);
});

test("a new signal gets a key that no other has", () => {
  const first = newSignal([]);
  const second = newSignal([{ ...first, key: "signal_2" }]);
  expect([first.key, second.key]).toEqual(["signal_1", "signal_3"]);
});

test("two models are the same when they say the same", () => {
  const one = [signal({ feature: "industry", op: "in", value: ["x"] })];
  expect(isSameModel(one, structuredClone(one))).toBe(true);
  expect(isSameModel(one, [])).toBe(false);
});
