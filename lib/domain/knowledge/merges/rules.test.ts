import { describe, expect, test } from "vitest";
import type { IdentifierRank } from "./queries.ts";
import {
  type Commonality,
  inCommon,
  type MergeSide,
  preferredBy,
  primaries,
  type Side,
  suggestedSide,
  withHigherStage,
} from "./rules.ts";

describe("whose value is suggested", () => {
  test.each<[string, unknown, unknown, Side | null, Side]>([
    ["first_name", "Anna", "Anne", "drop", "keep"],
    ["last_name", "Smith", "Smyth", "drop", "keep"],
    ["name", "Acme", "ACME Inc", "drop", "keep"],
    ["source", "crm", "api", "drop", "keep"],
    ["owner", "ada", "ben", "drop", "keep"],
    ["company", "Acme", "Globex", "drop", "keep"],
    ["works_at", "acme", "globex", "drop", "keep"],
    ["unsubscribed", true, false, "drop", "keep"],
    ["unsubscribed", false, true, "keep", "drop"],
    ["pipeline_stage", "client", "aware", "drop", "keep"],
    ["pipeline_stage", "aware", "client", "keep", "drop"],
    ["pipeline_stage", "not a stage", "identified", "drop", "keep"],
    ["pipeline_stage", "not a stage", "aware", "keep", "drop"],
    ["job_title", "CTO", "VP", "drop", "drop"],
    ["job_title", "CTO", "VP", "keep", "keep"],
    ["job_title", "CTO", "VP", null, "keep"],
  ])("%s: %j or %j, by the evidence %s: %s", (property, keep, drop, result, side) => {
    expect(suggestedSide(property, { keep, drop, result })).toBe(side);
  });
});

describe("the stage of a merge", () => {
  const stage = (keep: string, drop: string, result: string) => ({
    property: "pipeline_stage",
    keep,
    drop,
    result,
    suggested: suggestedSide("pipeline_stage", { keep, drop, result: result === keep ? "keep" : "drop" }),
  });
  test.each<[string, Parameters<typeof withHigherStage>[0], ReturnType<typeof stage>[], object]>([
    ["is not lowered by newer evidence", {}, [stage("client", "aware", "aware")], { pipeline_stage: "keep" }],
    ["is raised by the other record", {}, [stage("aware", "client", "aware")], { pipeline_stage: "drop" }],
    ["needs no choice when the evidence has the higher one", {}, [stage("aware", "client", "client")], {}],
    [
      "is lowered when that is asked for",
      { pipeline_stage: "drop" },
      [stage("client", "aware", "client")],
      { pipeline_stage: "drop" },
    ],
    [
      "is lowered when that is asked for, and the evidence says so too",
      { pipeline_stage: "drop" },
      [stage("client", "aware", "aware")],
      { pipeline_stage: "drop" },
    ],
    [
      "is chosen beside what was chosen",
      { region: "drop" },
      [stage("client", "aware", "aware")],
      { region: "drop", pipeline_stage: "keep" },
    ],
    ["needs no choice when the two agree", { region: "drop" }, [], { region: "drop" }],
  ])("%s", (_, fields, differing, expected) => expect(withHigherStage(fields, differing)).toEqual(expected));
});

const known = (values: object, identifiers: MergeSide["identifiers"] = []): MergeSide => ({
  values: new Map(Object.entries(values)),
  identifiers,
});

describe("what two records have in common", () => {
  test.each<[string, MergeSide, MergeSide, Commonality[]]>([
    ["nothing", known({ first_name: "Anna" }), known({ first_name: "Ben" }), []],
    ["a first name alone", known({ first_name: "Anna" }), known({ first_name: "Anna" }), []],
    ["a last name alone", known({ last_name: "Smith" }), known({ last_name: "Smith" }), []],
    ["texts that are blank", known({ phone: " ", company: " " }), known({ phone: " ", company: " " }), []],
    [
      "a whole name",
      known({ first_name: "Anna", last_name: "Müller" }),
      known({ first_name: "anna", last_name: "Muller" }),
      ["name"],
    ],
    ["a company by its name", known({ company: "Acme" }), known({ company: "ACME" }), ["company"]],
    ["a company by its record", known({ works_at: "id" }), known({ works_at: "id" }), ["company"]],
    ["a phone", known({ phone: "+4930123456" }), known({ phone: "+4930123456" }), ["phone"]],
    ["a name of a company", known({ name: "Acme" }), known({ name: "acme" }), ["name"]],
    ["values that are no text", known({ phone: 1 }), known({ phone: 1 }), []],
    [
      "a domain that one had before",
      known({}, [{ kind: "domain", value: "acme.com" }]),
      known({}, [{ kind: "domain", value: "acme.com" }]),
      ["identifier"],
    ],
  ])("%s", (_, a, b, common) => {
    expect(inCommon(a, b)).toEqual(common);
    expect(inCommon(b, a)).toEqual(common);
  });
});

describe("the primary address of a merge", () => {
  const of = (entityId: string, value: string, created: number, preferred?: number): IdentifierRank => ({
    id: value,
    entityId,
    kind: "email",
    value,
    createdAt: new Date(created),
    preferredAt: preferred === undefined ? null : new Date(preferred),
  });
  const preferred = (all: IdentifierRank[], fields = {}) =>
    preferredBy(primaries({ keep: "k", drop: "d" }, all), fields).map(({ id, was, now }) => [
      id,
      was && Date.parse(was),
      Date.parse(now),
    ]);
  test.each<[string, IdentifierRank[], Record<string, Side>, unknown[]]>([
    ["is the kept one's, though the other is newer", [of("k", "a", 1), of("d", "b", 5)], {}, [["a", null, 6]]],
    ["needs nothing when the kept one's is newer", [of("k", "a", 7), of("d", "b", 5)], {}, []],
    [
      "is the one that a person chose before",
      [of("k", "a", 1, 3), of("k", "c", 2), of("d", "b", 5)],
      {},
      [["a", 3, 6]],
    ],
    ["is the other's when that is chosen", [of("k", "a", 7), of("d", "b", 5)], { email: "drop" }, [["b", null, 8]]],
    ["needs nothing when only one record has an address", [of("d", "b", 5)], {}, []],
  ])("%s", (_, all, fields, expected) => expect(preferred(all, fields)).toEqual(expected));
});
