import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "#lib/core/json.ts";
import { DAY_MS } from "#lib/text/time.ts";
import {
  ASSERTED_HOLDS_MS,
  type Belief,
  confidenceAt,
  deriveBelief,
  type Evidence,
  evidenceAt,
  freshnessAt,
  methods,
} from "./derivation.ts";

const START = Date.parse("2026-06-01T00:00:00Z");
const day = (days: number) => new Date(START + days * DAY_MS);

type EvidenceOptions = Partial<Omit<Evidence, "observedAt" | "recordedAt">> & { on?: number; learned?: number };

/** One state; `on` and `learned` are days after the start. */
function said(value: unknown, { on = 0, learned = on, ...more }: EvidenceOptions = {}): Evidence {
  const id = more.id ?? `${String(value)}@${on}`;
  const standard = { kind: "state", property: "title", source: "api", method: "observed", causedBy: null } as const;
  return { ...standard, value, observedAt: day(on), recordedAt: day(learned), ...more, id };
}

const asserted = { method: "asserted" } as const;

/** What a person said, taken back. */
const withdrawing = (causedBy: string, value: unknown) =>
  said(value, { on: 1, learned: 3, id: `${causedBy} withdrawn`, causedBy, ...asserted });

/** Evidence as it can be: learned in order, observed in any order, with ties, ends, events and every method. */
const evidence = fc
  .array(
    fc.record({
      value: fc.oneof({ weight: 4, arbitrary: fc.constantFrom("CEO", "CTO", 1, { a: 1 }) }, fc.constant(null)),
      method: fc.constantFrom(...methods),
      source: fc.constantFrom("api", "crm", "web", "csv"),
      kind: fc.oneof({ weight: 6, arbitrary: fc.constant("state" as const) }, fc.constant("event" as const)),
      // days close together, and far enough apart for an assertion to yield
      on: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 85, max: 100 }), fc.constant(200)),
    }),
    { maxLength: 8 },
  )
  .map((items) =>
    items.map(({ value, on, ...more }, index) => said(value, { ...more, on, learned: 300 + index, id: `o${index}` })),
  );

const current = (belief: Belief | null): unknown => (belief && !belief.ended ? belief.value : undefined);

describe("the derivation", () => {
  test.each<[string, Evidence[], unknown]>([
    ["nothing was said", [], undefined],
    ["only events happened", [said("CEO", { kind: "event" })], undefined],
    ["one thing was said", [said("CEO")], "CEO"],
    ["something later was said", [said("CEO"), said("CTO", { on: 1 })], "CTO"],
    ["something earlier was learned later", [said("CTO", { on: 1 }), said("CEO", { on: 0, learned: 2 })], "CTO"],
    ["two things were true at once: the one learned last", [said("CEO"), said("CTO", { learned: 1 })], "CTO"],
    ["null ends it", [said("CEO"), said(null, { on: 1 })], undefined],
    ["only null was said", [said(null)], undefined],
    ["it began again after its end", [said("CEO"), said(null, { on: 1 }), said("CTO", { on: 2 })], "CTO"],
    ["an end learned late lies before it", [said("CEO", { on: 2 }), said(null, { on: 1, learned: 3 })], "CEO"],
    ["an assertion holds against a later observation", [said("CEO", asserted), said("CTO", { on: 9 })], "CEO"],
    ["it holds for 90 days", [said("CEO", asserted), said("CTO", { on: 89.99 })], "CEO"],
    ["then it yields", [said("CEO", asserted), said("CTO", { on: 90 })], "CTO"],
    ["it yields to null too", [said("CEO", asserted), said(null, { on: 90 })], undefined],
    ["before that null does not end it", [said("CEO", asserted), said(null, { on: 89 })], "CEO"],
    ["it never yields to a guess", [said("CEO", asserted), said("CTO", { on: 300, method: "inferred" })], "CEO"],
    [
      "an observation that agrees renews the 90 days",
      [said("CEO", asserted), said("CEO", { on: 50 }), said("CTO", { on: 139 })],
      "CEO",
    ],
    [
      "after the renewed 90 days it yields",
      [said("CEO", asserted), said("CEO", { on: 50 }), said("CTO", { on: 140 })],
      "CTO",
    ],
    [
      "a guess that agrees does not renew them",
      [said("CEO", asserted), said("CEO", { on: 50, method: "inferred" }), said("CTO", { on: 90 })],
      "CTO",
    ],
    [
      "what disagrees meanwhile does not shorten them",
      [said("CEO", asserted), said("CTO", { on: 30 }), said("CTO", { on: 89 })],
      "CEO",
    ],
    [
      "a confirmation learned late counts from when it was true",
      [said("CEO", asserted), said("CTO", { on: 95 }), said("CEO", { on: 60, learned: 99 })],
      "CEO",
    ],
    [
      "an assertion that agrees makes the belief as strong as itself",
      [said("CEO"), said("CEO", { on: 1, ...asserted }), said("CTO", { on: 2 })],
      "CEO",
    ],
    ["an assertion takes over at once", [said("CEO"), said("CTO", { on: 1, method: "asserted" })], "CTO"],
    ["an asserted end holds", [said("CEO"), said(null, { on: 1, ...asserted }), said("CEO", { on: 2 })], undefined],
    [
      "an asserted end yields after 90 days",
      [said("CEO"), said(null, { on: 1, ...asserted }), said("CTO", { on: 91 })],
      "CTO",
    ],
    [
      "a guess begins again what an observed null ended",
      [said("CEO"), said(null, { on: 1 }), said("CTO", { on: 2, method: "inferred" })],
      "CTO",
    ],
    ["an asserted null with nothing to end says nothing", [said(null, asserted), said("CTO", { on: 1 })], "CTO"],
    ["what was withdrawn does not count", [said("CEO"), said("CTO", { on: 1 }), withdrawing("CTO@1", "CEO")], "CEO"],
    [
      "what withdraws it does not count either",
      [said("CEO"), said("CTO", { on: 1, ...asserted }), withdrawing("CTO@1", "CEO"), said("COO", { on: 2 })],
      "COO",
    ],
    ["only what was withdrawn was said", [said("CEO"), withdrawing("CEO@0", null)], undefined],
    [
      "a cause that is no state of the property withdraws nothing",
      [said("CEO"), said("CTO", { on: 1, causedBy: "an activity" })],
      "CTO",
    ],
    ["a guess gives way to an earlier observation", [said("CEO"), said("CTO", { on: 5, method: "inferred" })], "CEO"],
  ])("%s", (_what, items, expected) => {
    expect(current(deriveBelief(items))).toEqual(expected);
  });

  test("keeps the last value, and when, why and by whose report it ended", () => {
    const end = said(null, { on: 3, learned: 5, id: "end", causedBy: "cause", source: "crm", method: "inferred" });
    const belief = deriveBelief([said("CEO", { method: "inferred" }), end]);
    const ended = {
      at: day(3),
      recordedAt: day(5),
      by: "end",
      causedBy: "cause",
      method: "inferred",
      source: "crm",
    };
    expect(belief).toMatchObject({ value: "CEO", source: "api", ended, conflicts: [] });
  });

  test.each([
    ["kept", "CEO"],
    ["used", "CTO"],
  ])("a dispute is as it was once the value that was %s to settle it is withdrawn", (_how, value) => {
    const open = [said("CEO", { source: "crm" }), said("CTO", { on: 1, source: "web", method: "inferred" })];
    const settled = [...open, said(value, { on: 2, source: "manual", id: "settled", ...asserted })];
    expect(deriveBelief(settled)?.conflicts).toEqual([]);
    const undone = [
      ...settled,
      said("CEO", { on: 2, source: "manual", causedBy: "settled", id: "undone", ...asserted }),
    ];
    expect(deriveBelief(undone)).toEqual(deriveBelief(open));
    expect(deriveBelief(open)?.conflicts).toHaveLength(1);
    // At a moment when the withdrawal was not known yet it was settled.
    expect(
      deriveBelief(evidenceAt(undone.with(-1, { ...undone[3], recordedAt: day(5) } as Evidence), null, day(4)))?.value,
    ).toBe(value);
  });

  test("takes values that are written the same for the same", () => {
    const items = [said({ a: 1, b: ["x"] }), said({ b: ["x"], a: 1 }, { on: 1, source: "crm" })];
    expect(deriveBelief(items)).toMatchObject({ sourceCount: 2, conflicts: [] });
  });

  test("dates a belief by the first who said it in its present run, and counts who agreed", () => {
    const items = [said("CTO"), said("CEO", { on: 1 }), said("CEO", { on: 4, source: "crm" })];
    expect(deriveBelief(items)).toMatchObject({
      source: "api",
      observationId: "CEO@1",
      recordedAt: day(1),
      lastObservedAt: day(4),
      sourceCount: 2,
      support: ["CEO@1", "CEO@4"],
    });
  });

  test("is dated by the first of the strongest who said it", () => {
    const guessed = said("CEO", { method: "inferred", source: "web" });
    const told = said("CEO", { on: 2, learned: 3, source: "crm" });
    const again = said("CEO", { on: 4, source: "api" });
    expect(deriveBelief([guessed, told, again])).toMatchObject({
      method: "observed",
      source: "crm",
      observationId: "CEO@2",
      recordedAt: day(3),
      support: ["CEO@0", "CEO@2", "CEO@4"],
    });
  });

  test("has ended when it was first said that there is none, however often it was said again", () => {
    const ends = [3, 5].map((on) => said(null, { on, source: `end ${on}`, causedBy: `cause ${on}` }));
    expect(deriveBelief([said("CEO"), ...ends])?.ended).toMatchObject({
      at: day(3),
      by: "null@3",
      source: "end 3",
      causedBy: "cause 3",
    });
  });

  test("is pure: it changes nothing it is given and answers the same again", () => {
    fc.assert(
      fc.property(evidence, (items) => {
        const before = structuredClone(items);
        const first = deriveBelief(items);
        expect(deriveBelief(items)).toEqual(first);
        expect(items).toEqual(before);
      }),
    );
  });

  test("does not depend on the order in which evidence of different moments was learned", () => {
    fc.assert(
      fc.property(
        fc
          .uniqueArray(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 8 })
          .chain((days) =>
            fc.tuple(
              ...days.map((on) =>
                fc
                  .record({
                    value: fc.constantFrom("CEO", "CTO", null),
                    method: fc.constantFrom(...methods),
                    source: fc.constantFrom("api", "crm"),
                  })
                  .map(({ value, ...more }) => said(value, { ...more, on, learned: 400 })),
              ),
            ),
          )
          .chain((items) => fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length }))),
        ([items, shuffled]) => {
          const plain = (belief: Belief | null) =>
            belief && { ...belief, conflicts: belief.conflicts.map((item) => item.observation_id).sort() };
          expect(plain(deriveBelief(shuffled))).toEqual(plain(deriveBelief(items)));
        },
      ),
    );
  });

  test("ignores events", () => {
    fc.assert(
      fc.property(evidence, (items) => {
        expect(deriveBelief(items)).toEqual(deriveBelief(items.filter(({ kind }) => kind === "state")));
      }),
    );
  });

  test("lets nothing weaker displace what was asserted within 90 days", () => {
    fc.assert(
      fc.property(evidence, (items) => {
        const soon = items.filter(({ observedAt }) => +observedAt < START + ASSERTED_HOLDS_MS);
        const asserted = current(deriveBelief(soon.filter(({ method }) => method === "asserted")));
        if (asserted !== undefined) expect(current(deriveBelief(soon))).toEqual(asserted);
      }),
    );
  });

  test("among equals believes the newest", () => {
    fc.assert(
      fc.property(evidence, fc.constantFrom(...methods), (items, method) => {
        const equals = items.map((item) => ({ ...item, method }));
        const states = equals.filter(({ kind }) => kind === "state");
        const newest = states.toSorted((a, b) => +a.observedAt - +b.observedAt).at(-1);
        expect(current(deriveBelief(equals))).toEqual(newest?.value ?? undefined);
      }),
    );
  });

  test("is what the last observation says, once an assertion is 90 days behind it", () => {
    fc.assert(
      fc.property(evidence, fc.constantFrom("CEO", "VP", null), (items, value) => {
        const last = said(value, { on: 290, learned: 400, id: "last" });
        expect(current(deriveBelief([...items, last]))).toEqual(value ?? undefined);
      }),
    );
  });

  test("believes only what someone said, and names who", () => {
    fc.assert(
      fc.property(evidence, (items) => {
        const belief = deriveBelief(items);
        const states = items.filter(({ kind, value }) => kind === "state" && value !== null);
        expect(belief === null).toBe(states.length === 0);
        if (!belief) return;
        expect(belief.value).not.toBeNull();
        const said = (id: string) => canonicalJson(items.find((item) => item.id === id)?.value);
        expect(belief.support.map(said)).toEqual(belief.support.map(() => canonicalJson(belief.value)));
        expect(belief.support).toContain(belief.observationId);
        expect(belief.sourceCount).toBe(
          new Set(belief.support.map((id) => items.find((item) => item.id === id)?.source)).size,
        );
        for (const conflict of belief.conflicts)
          expect(canonicalJson(conflict.value)).not.toBe(canonicalJson(belief.ended ? null : belief.value));
      }),
    );
  });

  test("replayed up to any moment it was known at is what it was then", () => {
    fc.assert(
      fc.property(evidence, (items) => {
        items.forEach((item, index) => {
          expect(deriveBelief(evidenceAt(items, null, item.recordedAt))).toEqual(
            deriveBelief(items.slice(0, index + 1)),
          );
        });
      }),
    );
  });

  test("is ended by null of the same method said last", () => {
    fc.assert(
      fc.property(evidence, (items) => {
        const belief = deriveBelief(items);
        if (!belief || belief.ended) return;
        const ending = said(null, { on: 201, learned: 400, method: belief.method, id: "end" });
        expect(deriveBelief([...items, ending])).toMatchObject({ value: belief.value, ended: { by: "end" } });
      }),
    );
  });
});

describe("confidence", () => {
  const now = day(240);

  test("lies between 0 and 1 for any evidence and moment", () => {
    fc.assert(
      fc.property(evidence, fc.integer({ min: -4000, max: 40_000 }), (items, days) => {
        const belief = deriveBelief(items);
        if (!belief) return;
        const confidence = confidenceAt(belief, day(days));
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("is never lowered by evidence that agrees", () => {
    fc.assert(
      fc.property(
        evidence,
        fc.constantFrom("api", "crm", "web", "new"),
        fc.constantFrom(...methods),
        fc.integer({ min: 0, max: 210 }),
        (items, source, method, days) => {
          const before = deriveBelief(items);
          if (!before || before.ended) return;
          // Since it was believed: what is older may give an end, which had nothing to end, something to end.
          const since = +(items.find(({ id }) => id === before.support[0]) as Evidence).observedAt;
          const on = (since - START) / DAY_MS + days;
          const agreeing = said(before.value, { source, method, on, learned: 400, id: "agreeing" });
          const after = deriveBelief([...items, agreeing]);
          expect(current(after)).toEqual(before.value);
          expect(confidenceAt(after as Belief, now)).toBeGreaterThanOrEqual(confidenceAt(before, now));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("never rises while time passes without evidence", () => {
    fc.assert(
      fc.property(evidence, fc.nat(1000), fc.nat(1000), (items, a, b) => {
        const belief = deriveBelief(items);
        if (!belief) return;
        const [sooner, later] = [Math.min(a, b), Math.max(a, b)];
        expect(confidenceAt(belief, day(later))).toBeLessThanOrEqual(confidenceAt(belief, day(sooner)));
      }),
    );
  });

  test("starts from how it is known, strongest first", () => {
    const of = (method: Evidence["method"]) => confidenceAt(deriveBelief([said("CEO", { method })]) as Belief, day(0));
    expect(methods.map(of)).toEqual([0.95, 0.8, 0.6]);
  });

  test("falls while a source disagrees that nothing as strong has answered", () => {
    const ada = said("CEO", { method: "asserted" });
    const crm = said("CTO", { on: 1, source: "crm" });
    const agreed = deriveBelief([ada]) as Belief;
    const disputed = deriveBelief([ada, crm]) as Belief;
    expect(disputed.conflicts).toEqual([
      {
        value: "CTO",
        source: "crm",
        method: "observed",
        observation_id: "CTO@1",
        observed_at: "2026-06-02T00:00:00.000Z",
      },
    ]);
    expect(confidenceAt(disputed, now)).toBeLessThan(confidenceAt(agreed, now));
    const guessed = said("CEO", { on: 2, method: "inferred", source: "web" });
    expect(deriveBelief([ada, crm, guessed])?.conflicts).toHaveLength(1);
    const confirmed = said("CEO", { on: 3, method: "asserted", id: "confirmed" });
    expect(deriveBelief([ada, crm, guessed, confirmed])?.conflicts).toEqual([]);
    const asStrong = said("CEO", { on: 3, source: "web" });
    expect(deriveBelief([ada, crm, asStrong])?.conflicts).toEqual([]);
  });

  test("no longer counts a source that disagreed once it agrees itself, however weakly", () => {
    const ada = said("CEO", { method: "asserted" });
    const before = said("CTO", { on: 1, source: "crm" });
    const after = said("CEO", { on: 2, source: "crm", method: "inferred" });
    expect(deriveBelief([ada, before, after])?.conflicts).toEqual([]);
  });

  test.each<[Evidence["method"], number, number, number, number]>([
    ["asserted", 1, 0, 0, 0.95],
    // half of it after 720 days, 360 and 180: the days at which it is rounded to one more and one less
    ["asserted", 1, 720, 0, 0.48],
    ["asserted", 1, 721, 0, 0.47],
    ["observed", 1, 249, 0, 0.5],
    ["observed", 1, 250, 0, 0.49],
    ["inferred", 1, 108, 0, 0.4],
    ["inferred", 1, 109, 0, 0.39],
    ["observed", 2, 0, 0, 0.88],
    ["inferred", 3, 0, 0, 0.86],
    ["observed", 1, 0, 1, 0.68],
    ["observed", 1, 0, 2, 0.58],
    ["inferred", 2, 180, 1, 0.32],
  ])(
    "%s by %d sources, the latest %d days ago, with %d conflicts, is %d",
    (method, sourceCount, days, conflicts, expected) => {
      const belief = { method, sourceCount, lastObservedAt: day(0), conflicts: { length: conflicts } };
      expect(confidenceAt(belief, day(days))).toBe(expected);
    },
  );

  test("counts each source that disagrees once, by what it said last", () => {
    const ada = said("CEO", { method: "asserted" });
    const crm = [said("CTO", { on: 1, source: "crm" }), said("CFO", { on: 2, source: "crm" })];
    const web = said("CTO", { on: 3, source: "web" });
    const belief = deriveBelief([ada, ...crm, web]);
    expect(belief?.conflicts.map(({ source, value }) => [source, value])).toEqual([
      ["crm", "CFO"],
      ["web", "CTO"],
    ]);
  });
});

test.each<[string, Date | null, Date | null, string]>([
  ["all of it", null, null, "a b c"],
  ["what was true by a moment, that moment included", day(2), null, "a b"],
  ["what was known by a moment, that moment included", null, day(5), "a c"],
  ["what was true by one moment and known by another", day(2), day(5), "a"],
  ["nothing from before the first", day(0), null, ""],
])("evidence of a moment is %s", (_, asOf, knownAt, expected) => {
  const items = [
    said("CEO", { on: 1, learned: 1, id: "a" }),
    said("CTO", { on: 2, learned: 6, id: "b" }),
    said("CFO", { on: 3, learned: 5, id: "c" }),
  ];
  const ids = evidenceAt(items, asOf, knownAt).map(({ id }) => id);
  expect(ids.join(" ")).toBe(expected);
});

test.each([
  [0, "fresh"],
  [29.99, "fresh"],
  [30, "aging"],
  [89.99, "aging"],
  [90, "suspect"],
  [179.99, "suspect"],
  [180, "expired"],
  [-1, "fresh"],
])("evidence of %d days ago is %s", (days, expected) => {
  expect(freshnessAt(day(0), day(days))).toBe(expected);
});
