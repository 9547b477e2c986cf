import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "#lib/text/time.ts";
import { Context, MIN_BUDGET } from "../contract.ts";
import { compose, type Material } from "./compose.ts";
import { intents, shapes } from "./intents.ts";

const now = new Date("2026-11-21T12:00:00Z");
const real = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 300, maxLength: 3000 }) },
  { weight: 1, arbitrary: fc.stringMatching(/^[!-~]{0,80}[\]}"'{[,:]{0,20}$/) },
);
const time = fc.integer({ min: -2000, max: 60 }).map((days) => new Date(now.getTime() + days * DAY_MS));
const value = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.array(text, { maxLength: 4 }),
  fc.dictionary(fc.string(), text, { maxKeys: 4 }),
);
const method = fc.constantFrom("asserted" as const, "observed" as const, "inferred" as const);
const property = fc.oneof(
  fc.constantFrom("job_title", "company", "pipeline_stage", "phone", "source"),
  fc.stringMatching(/^[a-z][a-z0-9_]{0,40}$/),
);

const claim = fc.record({
  property,
  value,
  method,
  source: text,
  observationId: fc.uuid(),
  observationCount: fc.integer({ min: 1, max: 9 }),
  sourceCount: fc.integer({ min: 1, max: 5 }),
  lastObservedAt: time,
  conflicts: fc.array(
    fc.record({
      value,
      source: text,
      method,
      observation_id: fc.uuid(),
      observed_at: time.map((at) => at.toISOString()),
    }),
    { maxLength: 2 },
  ),
});
const event = fc.record({
  id: fc.uuid(),
  seq: fc.nat(),
  property: fc.oneof(
    fc.constantFrom("interaction.call", "interaction.email_received", "interaction.website_visit"),
    property,
  ),
  value: fc.oneof(value, fc.record({ description: text })),
  source: text,
  observedAt: time,
  externalId: fc.constant(null),
  corrects: fc.constant(null),
  recordedAt: time,
  entityId: fc.constantFrom("0190a6e0-0000-7000-8000-000000000001", "0190a6e0-0000-7000-8000-000000000002"),
  firstName: text,
  lastName: text,
  email: fc.constant(null),
  linkedinUrl: fc.constant(null),
});
const material: fc.Arbitrary<Material> = fc.record({
  entity: fc.record({
    id: fc.constant("0190a6e0-0000-7000-8000-000000000001"),
    type: fc.constantFrom("person", "company", "workspace"),
    name: text,
  }),
  summary: text,
  knownBy: fc.option(text),
  claims: fc.uniqueArray(claim, { maxLength: 40, selector: (item) => item.property }),
  facts: fc.array(
    fc.record({ id: fc.uuid(), category: fc.constantFrom("ICP", "Pricing", "Objections"), content: text }),
    { maxLength: 20 },
  ),
  events: fc.array(event, { maxLength: 40 }),
  counts: fc.array(fc.record({ type: property, count: fc.integer({ min: 1, max: 5000 }), latest: time }), {
    maxLength: 8,
  }),
  documents: fc.array(
    fc.record({
      id: fc.uuid(),
      type: fc.constantFrom("note", "transcript"),
      title: fc.option(text),
      date: fc.constant("2026-06-03"),
      snippet: text,
    }),
    { maxLength: 10 },
  ),
  employer: fc.option(fc.record({ id: fc.uuid(), name: text.filter((name) => name !== null) as fc.Arbitrary<string> })),
  stakeholders: fc.array(
    fc.record({
      id: fc.uuid(),
      firstName: text,
      lastName: text,
      email: fc.constant(null),
      linkedinUrl: fc.constant(null),
      jobTitle: fc.option(text),
      lastActivityAt: fc.constant(null),
    }),
    { maxLength: 8 },
  ),
  tasks: fc.array(
    fc.record({
      id: fc.uuid(),
      title: text,
      due: fc.constantFrom("2026-12-01", "2026-12-01T09:00:00.000Z", null),
      assignee: fc.constantFrom("ada@ours.example", null),
    }),
    { maxLength: 6 },
  ),
  conversation: fc.option(
    fc.record({
      threadId: fc.uuid(),
      at: time,
      type: fc.constantFrom("email_sent", "email_received", "email_bounced"),
      from: text,
      to: fc.option(text),
      subject: fc.option(text),
      text: fc.option(text),
      asked: fc.array(text, { maxLength: 5 }),
      waitsFor: fc.constantFrom("us", "them", null),
    }),
  ),
  icp: fc.option(fc.constant({ score: 91, tier: "tier_1", fit: true } as const), { nil: undefined }),
  now: fc.constant(now),
});
const budget = fc.oneof(
  fc.constant(MIN_BUDGET),
  fc.integer({ min: MIN_BUDGET, max: 600 }),
  fc.integer({ min: 600, max: 6000 }),
);

describe("composing", () => {
  test("holds the budget for any account, and estimates within 10 %", () => {
    fc.assert(
      fc.property(material, fc.constantFrom(...intents), budget, (known, intent, tokens) => {
        const answer = compose(known, intent, tokens);
        const count = real(answer);
        expect(count).toBeLessThanOrEqual(tokens);
        const { meta } = Context.parse(JSON.parse(answer));
        expect(Math.abs(meta.token_estimate - count)).toBeLessThanOrEqual(count * 0.1);
        expect(meta.token_estimate).toBeLessThanOrEqual(tokens);
        const shown = JSON.parse(answer) as Context;
        expect(shown.claims.length).toBe(meta.claims_returned);
        if (shown.claims.length < meta.claims_total) expect(meta.truncated).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  const base: Material = {
    entity: { id: "0190a6e0-0000-7000-8000-000000000001", type: "person", name: "Anna Smith" },
    summary: "Anna Smith.",
    knownBy: null,
    claims: [],
    employer: null,
    facts: [],
    events: [],
    counts: [],
    documents: [],
    stakeholders: [],
    icp: undefined,
    tasks: [],
    conversation: null,
    now,
  };
  const open = (known: Partial<Material>, intent: (typeof intents)[number], tokens = 20_000) =>
    Context.parse(JSON.parse(compose({ ...base, ...known }, intent, tokens)));
  const conversation: NonNullable<Material["conversation"]> = {
    ...{ threadId: "5a2b1c3d-0000-8000-8000-000000000072", at: new Date(now.getTime() - 3 * DAY_MS) },
    ...{
      type: "email_received",
      from: "Anna Smith",
      to: "Ada",
      subject: "Re: pilot",
      text: "Tuesday works. Who signs?",
    },
    ...{ asked: ["Who signs?"], waitsFor: "us" },
  };

  test("tells who wrote last, what they ask and how long ago it was, and who has to answer", () => {
    expect(open({ conversation }, "draft_email").conversation).toEqual({
      ...{ when: conversation.at.toISOString(), age_days: 3, type: "email_received", from: "Anna Smith" },
      ...{ subject: "Re: pilot", snippet: "Tuesday works. Who signs?", asked: ["Who signs?"], waits_for: "us" },
      thread_id: conversation.threadId,
    });
  });

  test("tells of a conversation of which only who and when is seen no more than that", () => {
    const shown = open({ conversation: { ...conversation, subject: null, text: null, asked: [] } }, "follow_up");
    expect(Object.keys(shown.conversation ?? {})).toEqual([
      "when",
      "age_days",
      "type",
      "from",
      "waits_for",
      "thread_id",
    ]);
  });

  test.each(["draft_email", "follow_up"] as const)(
    "%s has the conversation before anything else of a long record",
    (intent) => {
      const facts = Array.from({ length: 40 }, (_, index) => ({
        ...{ id: crypto.randomUUID(), category: "ICP", content: `fact ${index} ${"word ".repeat(60)}` },
      }));
      const long = { ...conversation, text: "word ".repeat(900) };
      expect(open({ conversation: long, facts }, intent, 450).conversation).toMatchObject({ asked: ["Who signs?"] });
    },
  );

  const believed = (name: string, more: object = {}) => ({
    property: name,
    value: "x",
    method: "observed" as const,
    source: "api",
    observationId: crypto.randomUUID(),
    observationCount: 1,
    sourceCount: 1,
    lastObservedAt: now,
    conflicts: [],
    ...more,
  });
  const happened = (type: string, daysAgo: number) => ({
    id: crypto.randomUUID(),
    seq: 1,
    property: `interaction.${type}`,
    value: { description: `${type} ${daysAgo}` },
    source: "api",
    observedAt: new Date(now.getTime() - daysAgo * DAY_MS),
    externalId: null,
    corrects: null,
    recordedAt: now,
    entityId: base.entity.id,
    firstName: null,
    lastName: null,
    email: null,
    linkedinUrl: null,
  });

  test.each([
    ["draft_email", ["pain", "job_title", "company", "phone"]],
    ["call_prep", ["pain", "job_title", "phone", "company"]],
    ["account_review", ["pipeline_stage", "pain", "job_title"]],
  ] as const)("for %s claims come as %j", (intent, order) => {
    const claims = [...order].reverse().map((name) => believed(name));
    expect(open({ claims }, intent).claims.map((item) => item.property)).toEqual(order);
  });

  test("an old claim comes after a fresh one of its kind, and one in dispute before both", () => {
    const claims = [
      believed("pain", { lastObservedAt: new Date("2025-01-01") }),
      believed("goal"),
      believed("risk", { conflicts: [{ observation_id: crypto.randomUUID() }] }),
    ];
    const shown = open({ claims }, "draft_email").claims;
    expect(shown.map((item) => item.property)).toEqual(["risk", "goal", "pain"]);
    expect(shown[0]?.observation_ids).toHaveLength(2);
  });

  test("the best events are given in full, the next in brief, the rest counted, in the order of time", () => {
    const events = [
      ...Array.from({ length: 20 }, (_, day) => happened("email_opened", day)),
      happened("email_received", 3),
      happened("meeting_held", 30),
    ];
    const counts = [
      { type: "email_opened", count: 200, latest: now },
      { type: "email_received", count: 1, latest: now },
      { type: "meeting_held", count: 1, latest: now },
    ];
    const { timeline, meta } = open({ events, counts }, "draft_email");
    expect(timeline.filter(({ tier }) => tier === "full").map(({ type }) => type)).toContain("email_received");
    expect(timeline.find(({ type }) => type === "meeting_held")?.tier).toBe("full");
    expect(timeline.filter(({ tier }) => tier === "brief")).toHaveLength(shapes.draft_email.brief);
    expect(timeline.at(-1)).toEqual({ when: now.toISOString(), type: "email_opened", tier: "count", count: 200 });
    const times = timeline.slice(0, -1).map(({ when }) => when);
    expect(times).toEqual(times.toSorted().reverse());
    expect(meta.timeline_events).toBe(202);
  });

  test("a colleague's event says whose it is", () => {
    const events = [{ ...happened("call", 1), entityId: crypto.randomUUID(), firstName: "Bo", lastName: "Lind" }];
    expect(open({ events }, "follow_up").timeline[0]?.summary).toBe("Bo Lind: call 1");
  });

  test("facts and documents follow the intent's order, newest first inside a kind", () => {
    const facts = ["Market", "ICP", "Pricing", "ICP"].map((category, index) => ({
      id: crypto.randomUUID(),
      category,
      content: `${index}`,
    }));
    expect(open({ facts }, "call_prep").workspace.map(({ property, value }) => [property, value])).toEqual([
      ["Pricing", "2"],
      ["ICP", "1"],
      ["ICP", "3"],
      ["Market", "0"],
    ]);
    const documents = ["note", "pre_meeting", "transcript"].map((type) => ({
      id: crypto.randomUUID(),
      type,
      title: null,
      date: "2026-06-03",
      snippet: "s",
    }));
    expect(open({ documents }, "meeting_prep").documents.map(({ type }) => type)).toEqual([
      "pre_meeting",
      "transcript",
      "note",
    ]);
  });

  test("a fact that is long is shortened rather than left out, and takes no more than a quarter", () => {
    const facts = [{ id: crypto.randomUUID(), category: "ICP", content: "very long ".repeat(900) }];
    const small = open({ facts }, "draft_email", 1200);
    expect(small.workspace[0]?.value.length).toBeLessThan(700);
    expect(open({ facts }, "draft_email", 20_000).workspace[0]?.value).toBe(facts[0]?.content);
  });

  test("with little room every section still has its best line", () => {
    const known = {
      claims: Array.from({ length: 30 }, (_, index) => believed(`pain_${index}`)),
      facts: [{ id: crypto.randomUUID(), category: "ICP", content: "Fintechs" }],
      events: [happened("call", 1)],
      counts: [{ type: "call", count: 1, latest: now }],
      documents: [{ id: crypto.randomUUID(), type: "note", title: "Brief", date: "2026-06-03", snippet: "s" }],
    };
    const shown = open(known, "draft_email", 800);
    expect(shown.workspace).toHaveLength(1);
    expect(shown.timeline).toHaveLength(1);
    expect(shown.documents).toHaveLength(1);
    expect(shown.claims.length).toBeGreaterThan(2);
    expect(shown.meta).toMatchObject({ truncated: true, claims_total: 30, budget_tokens: 800 });
  });
});

test("every intent names each section in its servings, or leaves it to the rounds after them", () => {
  for (const shape of Object.values(shapes)) {
    expect(shape.servings.length).toBeGreaterThan(4);
    expect(shape.budget).toBeGreaterThanOrEqual(MIN_BUDGET);
    for (const weight of [...Object.values(shape.topics), ...Object.values(shape.activities)]) {
      expect(weight).toBeGreaterThan(0);
      expect(weight).toBeLessThanOrEqual(1);
    }
  }
});
