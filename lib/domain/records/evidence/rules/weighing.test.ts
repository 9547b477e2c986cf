import { describe, expect, test } from "vitest";
import { DAY_MS } from "#lib/text/time.ts";
import type { Evidence } from "./derivation.ts";
import { claimsOf, type Draft, Weighing } from "./weighing.ts";

const at = new Date("2026-11-21T12:00:00Z");
const ago = (days: number): Date => new Date(at.getTime() - days * DAY_MS);
const factId = "0190a6e0-0000-7000-8000-000000000001";

type EvidenceOptions = Partial<Omit<Evidence, "observedAt" | "recordedAt">> & { days?: number };

/** What is known: a state of `days` ago. */
function known(id: string, value: unknown, { days = 10, ...more }: EvidenceOptions = {}): Evidence {
  const standard = { kind: "state", property: "title", source: "api", method: "observed", causedBy: null } as const;
  return { ...standard, id, value, observedAt: ago(days), recordedAt: ago(days), ...more };
}

const draft = (value: unknown, more: Partial<Draft> = {}): Draft => ({
  ...{ kind: "state", property: "title", value, source: "api", method: "observed", observedAt: null },
  ...more,
});

const weigh = (...evidence: Evidence[]): Weighing => {
  let made = 0;
  return new Weighing("entity", at, evidence, () => `new${++made}`);
};

describe("what was said before", () => {
  const fresh = { unlessFresh: true } as const;
  const unsaid = { unlessSaid: true } as const;
  const blank = { onlyBlank: true } as const;
  const NOTHING = "00000000-0000-0000-0000-000000000000";

  test.each<[string, Evidence[], Draft, string | null]>([
    ["is asked only of what asks for it", [known("a", "CEO", { days: 0.5 })], draft("CEO"), null],
    ["is nothing for an event", [known("a", "CEO", { days: 0.5 })], draft("CEO", { kind: "event", ...fresh }), null],

    ["within a day by the same source", [known("a", "CEO", { days: 0.99 })], draft("CEO", fresh), "a"],
    ["a day ago counts no more", [known("a", "CEO", { days: 1 })], draft("CEO", fresh), null],
    ["weeks ago counts no more", [known("a", "CEO", { days: 20 })], draft("CEO", fresh), null],
    [
      "the latest of its source counts",
      [known("a", "CEO", { days: 3 }), known("b", "CEO", { days: 0.5 })],
      draft("CEO", fresh),
      "b",
    ],
    [
      "by another source counts for that one",
      [known("a", "CEO", { days: 0.5, source: "crm" })],
      draft("CEO", fresh),
      null,
    ],
    [
      "by another method counts for that one",
      [known("a", "CEO", { days: 0.5, method: "asserted" })],
      draft("CEO", fresh),
      null,
    ],
    [
      "by the same method, whatever its source said by another since",
      [known("a", "CEO", { days: 0.5 }), known("b", "CEO", { days: 0.4, method: "asserted" })],
      draft("CEO", fresh),
      "a",
    ],
    ["another value is new", [known("a", "CEO", { days: 0.5 })], draft("CTO", fresh), null],
    [
      "what is not believed is new, though its source just said it",
      [known("a", "CEO", { days: 0.5, method: "asserted" }), known("b", "CTO", { days: 0.4 })],
      draft("CTO", fresh),
      null,
    ],
    [
      "what is believed is new, when its source just said something else",
      [known("a", "CEO", { days: 0.5, method: "asserted", source: "crm" }), known("b", "CTO", { days: 0.4 })],
      draft("CEO", fresh),
      null,
    ],
    [
      "what has ended is new",
      [known("a", "CEO", { days: 0.5 }), known("b", null, { days: 0.4 })],
      draft("CEO", fresh),
      null,
    ],
    [
      "what another source ended is new",
      [known("a", "CEO", { days: 0.5 }), known("b", null, { days: 0.4, source: "crm" })],
      draft("CEO", fresh),
      null,
    ],
    ["what never had a value is new", [known("a", null, { days: 0.5 })], draft("CEO", fresh), null],
    ["an end of what is there is new", [known("a", "CEO")], draft(null, fresh), null],
    [
      "an end of what ended is the last of all",
      [known("a", "CEO"), known("b", null, { days: 5 }), known("c", null, { days: 4 })],
      draft(null, fresh),
      "c",
    ],
    ["an end of nothing is nothing", [], draft(null, fresh), NOTHING],

    ["a value where there is one", [known("a", "CEO"), known("b", "CEO", { days: 5 })], draft("CTO", blank), "a"],
    ["none where there was one", [known("a", "CEO"), known("b", null, { days: 5 })], draft("CTO", blank), null],
    [
      "none where there was one of that very moment",
      [known("a", "CEO"), known("b", null, { days: 5 })],
      draft("CEO", { ...blank, observedAt: ago(10) }),
      null,
    ],
    ["none where there is nothing", [], draft("CTO", { ...blank, ...unsaid }), null],

    ["what is believed, by whomever", [known("a", "CEO", { source: "crm" })], draft("CEO", unsaid), "a"],
    ["a value where there never was one", [known("a", null)], draft("CEO", unsaid), null],
    ["a value differs from what is believed", [known("a", "CEO")], draft("CTO", unsaid), null],
    [
      "its source said it last",
      [known("a", "CEO", { method: "asserted", source: "crm" }), known("b", "CTO", { days: 5 })],
      draft("CTO", unsaid),
      "b",
    ],
    [
      "its source said it, and anyone something else since",
      [
        known("a", "CEO", { method: "asserted" }),
        known("b", "CTO", { days: 5 }),
        known("c", "CFO", { days: 4, source: "crm" }),
      ],
      draft("CTO", unsaid),
      null,
    ],
    [
      "another source said it last",
      [known("a", "CEO", { method: "asserted" }), known("b", "CTO", { days: 5, source: "crm" })],
      draft("CTO", unsaid),
      null,
    ],
    [
      "it was said of that very moment",
      [
        known("a", "CEO", { method: "asserted" }),
        known("b", "CTO", { days: 5 }),
        known("c", "CFO", { days: 4, source: "crm" }),
      ],
      draft("CTO", { ...unsaid, observedAt: ago(5) }),
      "b",
    ],
    [
      "it was said twice of that very moment: the first counts",
      [known("a", "CEO", { method: "asserted" }), known("b", "CTO", { days: 5 }), known("c", "CTO", { days: 5 })],
      draft("CTO", { ...unsaid, observedAt: ago(5) }),
      "b",
    ],
    [
      "it was said of another moment",
      [known("a", "CEO", { method: "asserted" }), known("b", "CTO", { days: 5 })],
      draft("CTO", { ...unsaid, observedAt: ago(6) }),
      null,
    ],
    ["an end that was said last", [known("a", "CEO"), known("b", null, { days: 5 })], draft(null, unsaid), "b"],
  ])("%s", (_, evidence, given, expected) => {
    expect(weigh(...evidence).saidBefore(given)).toBe(expected);
  });

  const property = `note.${factId}`;
  const fact = (content: string, category = "Notes") => ({ category, content });
  const factOf = (id: string, value: unknown, more: EvidenceOptions = {}) => known(id, value, { property, ...more });
  test.each<[string, Evidence[], Draft, string | null]>([
    ["the same", [factOf("a", fact("A"))], draft(fact("A"), { property }), "a"],
    [
      "the same, whatever it superseded",
      [factOf("a", { ...fact("A"), supersedes: "x" })],
      draft(fact("A"), { property }),
      "a",
    ],
    ["another content", [factOf("a", fact("A"))], draft(fact("B"), { property }), null],
    ["another category", [factOf("a", fact("A"))], draft(fact("A", "ICP"), { property }), null],
    [
      "the same again after its end",
      [factOf("a", fact("A")), factOf("b", null, { days: 5 })],
      draft(fact("A"), { property }),
      null,
    ],
    ["one with an id of its own", [factOf("a", fact("A"))], draft(fact("A"), { property, id: "own" }), null],
    ["the first", [], draft(fact("A"), { property }), null],
    ["an end", [factOf("a", fact("A"))], draft(null, { property }), null],
    [
      "an end of what ended is the last of all",
      [factOf("a", fact("A")), factOf("b", null, { days: 5 }), factOf("c", null, { days: 4 })],
      draft(null, { property }),
      "c",
    ],
    ["an end of nothing", [], draft(null, { property }), null],
  ])("of a fact: %s", (_, evidence, given, expected) => {
    expect(weigh(...evidence).saidBefore(given)).toBe(expected);
  });
});

describe("what is believed after it was told", () => {
  test("is the value, and whether it changed by it", () => {
    const weighing = weigh(known("a", "CEO"));
    const before = weighing.beliefOn("title");
    expect(weighing.believed("title", "CEO", before)).toEqual({ property: "title", value: "CEO", changed: false });
    weighing.learn(draft("CTO"));
    expect(weighing.believed("title", "CTO", before)).toEqual({ property: "title", value: "CTO", changed: true });
    for (const given of [null, "CEO"])
      expect(weighing.believed("other", given, null)).toEqual({ property: "other", value: null, changed: false });
  });

  test("names what holds against it, and how sure that is", () => {
    const weighing = weigh(known("a", "CEO", { method: "asserted" }), known("b", "CEO", { source: "crm", days: 0 }));
    const before = weighing.beliefOn("title");
    weighing.learn(draft("CTO"));
    // asserted by two sources, with one that disagrees: (1 - 0.05 × 0.6) × 0.85
    const conflict = { value: "CEO", source: "api", method: "asserted", confidence: 0.82 };
    expect(weighing.believed("title", "CTO", before)).toEqual({
      property: "title",
      value: "CEO",
      changed: false,
      conflict,
    });
  });

  test("of what has ended names the end: as sure as what one source said then", () => {
    // The end was asserted, so that no guess begins it again.
    const ended = weigh(
      known("a", "CEO", { source: "api", days: 900 }),
      known("b", "CEO", { source: "web", days: 890 }),
      known("d", null, { source: "crm", method: "asserted", days: 720 }),
      known("e", "CTO", { source: "web", method: "inferred", days: 1 }),
    );
    const before = ended.beliefOn("title");
    const conflict = { value: null, source: "crm", method: "asserted", confidence: 0.48 };
    expect(ended.believed("title", "CTO", before)).toEqual({
      property: "title",
      value: null,
      changed: false,
      conflict,
    });
  });
});

describe("what is learned", () => {
  test("is dated by its moment, or by now, and makes a claim when it is a state", () => {
    const weighing = weigh();
    expect(weighing.touches("title")).toBe(false);
    const event = weighing.learn(draft({}, { kind: "event", property: "interaction.call", observedAt: ago(3) }));
    expect(event).toMatchObject({ id: "new1", entityId: "entity", observedAt: ago(3), recordedAt: at });
    expect([event.causedBy, event.externalId]).toEqual([null, null]);
    expect([weighing.touches("interaction.call"), weighing.claims()]).toEqual([false, []]);
    const own = weighing.learn(draft("CEO", { id: "own", causedBy: "new1", externalId: "x" }));
    expect(own).toMatchObject({ id: "own", observedAt: at, causedBy: "new1", externalId: "x" });
    expect(weighing.touches("title")).toBe(true);
    expect(weighing.evidenceOn("interaction.call")).toEqual([]);
    expect(weighing.claims()).toMatchObject([
      {
        entityId: "entity",
        property: "title",
        claimId: "own",
        category: null,
        supersedes: null,
        belief: { value: "CEO" },
      },
    ]);
  });

  test("is weighed with what is known, of which events say nothing", () => {
    const weighing = weigh(known("a", "CEO"), known("b", "CFO", { kind: "event" }));
    expect(weighing.evidenceOn("title").map(({ id }) => id)).toEqual(["a"]);
    expect(weighing.beliefOn("title")?.value).toBe("CEO");
    weighing.learn(draft("CTO"));
    expect(weighing.beliefOn("title")).toMatchObject({ value: "CTO", support: ["new1"] });
  });

  test("of a claim, the first state gives the id, and the fact its category and what it superseded", () => {
    const property = `note.${factId}`;
    const value = { category: "ICP", content: "A", supersedes: "old" };
    const evidence = [
      known("event", value, { property, kind: "event" }),
      known("first", value, { property }),
      known("second", value, { property, days: 5 }),
    ];
    expect(claimsOf("entity", property, evidence)).toMatchObject([
      { claimId: "first", category: "ICP", supersedes: "old" },
    ]);
    expect(claimsOf("entity", property, evidence.slice(0, 1))).toEqual([]);
    expect(claimsOf("entity", property, [known("end", null, { property })])).toEqual([]);
  });
});
