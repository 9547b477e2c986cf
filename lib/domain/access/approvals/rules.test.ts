import { describe, expect, test } from "vitest";
import { operations } from "#lib/registry.ts";
import { mayDecide, planOf, shownValue, summaryOf, withoutSecrets, wordsOf } from "./rules.ts";

const id = "0190a6e0-0000-7000-8000-000000000020";
const names = new Map([[id, "Anna Berg"]]);
const state = (property: string, value: unknown) => ({ kind: "state", property, value });

describe("a change in a few words", () => {
  test.each([
    ["recordObservations", { focus: id, observations: [state("job_title", "CFO")] }, "Set job title of Anna Berg"],
    ["recordObservations", { focus: id, observations: [state("job_title", null)] }, "End job title of Anna Berg"],
    [
      "recordObservations",
      { focus: "anna@acme.com", observations: [{ kind: "event", property: "interaction.meeting_held" }] },
      "Log meeting held with anna@acme.com",
    ],
    [
      "recordObservations",
      { focus: id, observations: [state("a", 1), state("b", 2)] },
      "Record 2 observations about Anna Berg",
    ],
    [
      "recordObservations",
      { focus: "workspace", observations: [state(`note.${id}`, "x")] },
      "Write an entry of the GTM profile",
    ],
    ["saveFact", { section: "ICP", content: "x" }, "Replace the section ICP of the GTM profile"],
    ["saveFact", { section: "Notes", content: "x" }, "Add to the section Notes of the GTM profile"],
    ["saveFact", { section: "ICP", content: "x", mode: "append" }, "Add to the section ICP of the GTM profile"],
    ["saveFact", { section: "ICP", content: "x", supersedes: id }, "Replace an entry of the GTM profile"],
    ["saveNote", { focus: id, content: "x", title: "Call" }, "Save a note on Anna Berg: Call"],
    ["capture", { email: "anna@acme.com", type: "email_sent" }, "Log email sent with anna@acme.com"],
    ["upsertPeople", { people: [{ email: "a@b.co" }] }, "Create or update 1 person"],
    ["mergeAccounts", { keep: id, drop: "anna@acme.com" }, "Merge anna@acme.com into Anna Berg"],
    ["erasePerson", {}, "Erase someone for good"],
    ["newOperation", { x: 1 }, "New operation"],
  ])("%s %j", (operation, input, expected) => {
    expect(summaryOf(operation, input, names)).toBe(expected);
  });

  test("there is one for every operation that a key can write with", () => {
    const unnamed = operations
      .filter(({ contract }) => contract.surface === "public" && contract.scope !== "read")
      .filter(({ contract }) => contract.http.method !== "GET")
      .map(({ contract }) => contract.name)
      .filter((name) => summaryOf(name, {}, names) === wordsOf(name));
    expect(unnamed).toEqual([]);
  });

  test("is short, whatever was sent", () => {
    expect(summaryOf("saveNote", { focus: "x".repeat(9_000) }, names).length).toBeLessThanOrEqual(300);
    for (const odd of [null, 1, "text", [], {}])
      for (const { contract } of operations) {
        const input = Object.fromEntries(Object.keys(contract.input.shape).map((field) => [field, odd]));
        expect(() => [summaryOf(contract.name, input, names), planOf(contract.name, input)]).not.toThrow();
      }
  });
});

describe("what a change would do", () => {
  test("each state replaces the property, an event adds to the timeline", () => {
    const event = { kind: "event", property: "interaction.call", value: { description: "Talked" } };
    expect(planOf("recordObservations", { focus: id, observations: [state("tags", ["a", "b"]), event] })).toEqual({
      focus: id,
      proposals: [
        { label: "Tags", kind: "value", after: "a, b", property: "tags" },
        { label: "Call", kind: "value", after: '{"description":"Talked"}' },
      ],
    });
  });

  test("a section replaces what is in it, an entry only itself, an addition nothing", () => {
    const input = { section: "ICP", content: "x" };
    expect(planOf("saveFact", input).replaces).toEqual({ section: "ICP" });
    expect(planOf("saveFact", { ...input, supersedes: id }).replaces).toEqual({ fact: id });
    expect(planOf("saveFact", { ...input, mode: "append" }).replaces).toBeUndefined();
  });

  test("secrets are hidden", () => {
    const shown = withoutSecrets({ provider: "fathom", credentials: { signing_secret: "whsec_x" } }, ["credentials"]);
    expect(JSON.stringify(planOf("connectIntegration", shown))).not.toContain("whsec_x");
  });
});

test.each([
  ["text", "text"],
  [["a", "b"], "a, b"],
  [[1, "b"], '[1,"b"]'],
  [0, "0"],
  [false, "false"],
  [null, null],
  [undefined, null],
])("%j is shown as %j", (value, shown) => expect(shownValue(value)).toBe(shown));

test.each([
  ["member", "write", undefined, true],
  ["member", "read", undefined, true],
  ["member", "admin", undefined, false],
  ["viewer", "read", undefined, false],
  ["viewer", "write", undefined, false],
  ["admin", "admin", undefined, true],
  ["admin", "admin", "owner", false],
  ["owner", "admin", "owner", true],
  [null, "write", undefined, false],
] as const)("a person with the role %s decides about the scope %s and the role %s: %s", (role, scope, needed, may) => {
  expect(mayDecide({ role }, { scope, ...(needed ? { role: needed } : {}) })).toBe(may);
});
