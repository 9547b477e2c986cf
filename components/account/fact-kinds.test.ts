import { describe, expect, test } from "vitest";
import { type FactKind, kindOf, textOf, valueFrom } from "./fact-kinds.ts";

describe("how a fact is written", () => {
  test.each<[string, unknown, Parameters<typeof kindOf>[2], FactKind]>([
    ["pipeline_stage", "aware", undefined, "stage"],
    ["country", "DE", undefined, "country"],
    ["works_at", "0190a6e0-0000-7000-8000-000000000001", undefined, "company"],
    ["budget_eur", 1200, undefined, "number"],
    ["uses_sso", false, undefined, "boolean"],
    ["tools", ["HubSpot"], undefined, "list"],
    ["renewal", "2026-06-03", "text", "date"],
    ["job_title", "VP Sales", "text", "text"],
    ["goals", "a".repeat(81), undefined, "long"],
    ["plan", { seats: 3 }, undefined, "json"],
    ["plan", [1, 2], undefined, "json"],
    ["budget_eur", undefined, "number", "number"],
    ["anything", undefined, undefined, "text"],
  ])("%s with %j (%s) is %s", (property, value, type, kind) => {
    expect(kindOf(property, value, type)).toBe(kind);
  });
});

describe("what is written", () => {
  test.each<[FactKind, unknown]>([
    ["text", "VP Sales"],
    ["long", "one\ntwo"],
    ["number", 1200.5],
    ["boolean", false],
    ["date", "2026-06-03"],
    ["list", ["HubSpot", "Gong"]],
    ["stage", "client"],
    ["country", "DE"],
    ["json", { seats: [3] }],
  ])("as %s, the text of %j, means the same", (kind, value) => {
    expect(valueFrom(kind, textOf(kind, value))).toEqual({ value });
  });

  test.each<[FactKind, string, unknown]>([
    ["number", "1,200", 1200],
    ["number", "1 200 000", 1_200_000],
    ["number", "-0.5", -0.5],
    ["list", " a \n\n b", ["a", "b"]],
    ["country", "germany", "DE"],
    ["country", "Northern Cyprus", "Northern Cyprus"],
  ])("as %s, %j means %j", (kind, text, value) => {
    expect(valueFrom(kind, text)).toEqual({ value });
  });

  test.each<[FactKind, string]>([
    ["text", "  "],
    ["number", "twelve"],
    ["number", "1,2"],
    ["date", "3 June"],
    ["stage", "won"],
    ["json", "{"],
  ])("as %s, %j is refused", (kind, text) => {
    expect(valueFrom(kind, text)).toHaveProperty("refusal");
  });
});
