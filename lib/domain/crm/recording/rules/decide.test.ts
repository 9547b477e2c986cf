import { describe, expect, test } from "vitest";
import { type Identifier, identifierKey } from "#lib/domain/records/entities/service.ts";
import type { Draft } from "#lib/domain/records/evidence/service.ts";
import {
  a,
  about,
  activity,
  at,
  b,
  c,
  decideIn,
  email,
  good,
  Memory,
  memoryOf,
  noOne,
  ofCompany,
  state,
  url,
  workspaceId,
} from "#lib/testing/recording.fixture.ts";
import { type Contact, countNew, outcomeOf } from "./contact.ts";
import { Decision } from "./decide.ts";
import { stageOf } from "./stages.ts";
import { keyOf, type Lookup, pairOf, type Report, referencesOf, referenceTo, type World } from "./world.ts";

describe("stages", () => {
  const moves = (memory: Memory) =>
    memory.events.flatMap(({ type, data }) => {
      const { from, to } = (data ?? {}) as { from?: string; to?: string };
      return type === "stage.advanced" ? [`${from} → ${to}`] : [];
    });

  test.each<[string, Draft[], string, string[]]>([
    ["an activity moves", [activity("email_received")], "interested", ["identified → interested"]],
    ["never back", [activity("meeting_held"), activity("website_visit")], "evaluating", ["identified → evaluating"]],
    ["the stage of a new person is no news", [state("pipeline_stage", "client")], "client", []],
    [
      "a stage set between two activities counts",
      [
        activity("website_visit"),
        state("pipeline_stage", "evaluating", { method: "asserted" }),
        activity("email_received"),
      ],
      "evaluating",
      ["identified → aware", "aware → evaluating"],
    ],
    [
      "an old activity moves nothing",
      [activity("meeting_held", undefined, { observedAt: new Date("2026-01-01") })],
      "identified",
      [],
    ],
  ])("%s", (_, drafts, stage, news) => {
    const memory = new Memory();
    const { results } = memory.record(about("anna@gmail.com", ...drafts));
    const { entity, outcomes } = good(results[0]);
    expect(stageOf(memory.claimsOf(entity.id).get("pipeline_stage"))).toBe(stage);
    expect(moves(memory)).toEqual(news);
    const staged = outcomes.flatMap(({ stages }) => stages ?? []);
    for (const [place, { before }] of staged.entries()) if (place === 0) expect(before).toBe("identified");
  });

  test("a move is dated no earlier than the stage before it", () => {
    const memory = new Memory();
    const later = new Date(at.getTime() + 60_000);
    memory.record(about("anna@gmail.com", state("pipeline_stage", "aware", { observedAt: later, method: "asserted" })));
    memory.record(about("anna@gmail.com", activity("meeting_held")));
    expect(memory.evidence.at(-1)).toMatchObject({
      property: "pipeline_stage",
      value: "evaluating",
      observedAt: later,
    });
  });

  test("a changed value stays changed when it is repeated after an activity", () => {
    const memory = new Memory();
    memory.record(about("anna@gmail.com", state("job_title", "CEO")));
    const cto = (externalId: string) => state("job_title", "CTO", { externalId });
    const { results } = memory.record(about("anna@gmail.com", cto("1"), activity("call"), cto("2")));
    expect(good(results[0]).believed).toEqual([{ property: "job_title", value: "CTO", changed: true }]);
    const { results: later } = memory.record(about("anna@gmail.com", cto("3")));
    expect(good(later[0]).believed).toEqual([{ property: "job_title", value: "CTO", changed: false }]);
  });

  test("a repeated stage is the believed one", () => {
    const memory = new Memory();
    const set = state("pipeline_stage", "aware", { externalId: "1", method: "asserted" });
    memory.record(about("anna@gmail.com", set));
    memory.record(about("anna@gmail.com", activity("meeting_held")));
    const { results } = memory.record(about("anna@gmail.com", set, activity("website_visit")));
    expect(good(results[0]).outcomes.map(({ repeated, stages }) => [repeated, stages?.before, stages?.after])).toEqual([
      [true, undefined, undefined],
      [false, "evaluating", "evaluating"],
    ]);
  });

  test("the last activity is the latest one, at most now; our own events do not count", () => {
    const memory = new Memory();
    const latest = (...drafts: Draft[]) => {
      const { decision } = memory.record(about("anna@gmail.com", ...drafts));
      const [contact] = [...decision.contacts.values()];
      return [contact?.activityAt, contact?.touched, contact?.moved, contact?.shown];
    };
    const on = (day: number, type = "call") =>
      activity(type, undefined, { observedAt: new Date(Date.UTC(2026, 10, day)) });
    const day = (n: number) => new Date(Date.UTC(2026, 10, n));
    expect(latest(state("job_title", "CEO"))).toEqual([null, false, false, true]);
    expect(latest(on(3), on(7), on(5))).toEqual([day(7), true, false, false]);
    expect(latest(on(30))).toEqual([at, true, false, false]);
    expect(latest(activity("call"))).toEqual([at, true, false, false]);
    expect(latest({ ...on(3), property: "note.saved" })).toEqual([null, false, false, true]);
    expect(latest(on(3, "email_received"))).toEqual([day(3), true, true, false]);
  });

  test("activities move a lead; a correction moves nothing", () => {
    const memory = new Memory();
    expect(memory.record(about("anna@gmail.com", activity("email_received"))).decision.leadNews).toEqual([]);
    const [anna] = [...memory.entities.values()];
    if (anna) anna.isLead = true;
    const { decision } = memory.record(about("anna@gmail.com", activity("email_received"), activity("call")));
    expect(decision.leadNews.map(({ says }) => says)).toEqual(["replied"]);
    const corrected = memory.record({ ...about("anna@gmail.com", activity("meeting_held")), amends: true });
    expect([corrected.decision.events, corrected.decision.leadNews]).toEqual([[], []]);
  });
});

describe("repeats", () => {
  test("get the first answer, in the same call and later, and need no lock", () => {
    const memory = new Memory();
    const report: Report = { ...about("anna@gmail.com", activity("email_received", "1")), introduces: [] };
    const { results } = memory.record(report, report);
    const [first, second] = results.map((one) => good(one).outcomes[0]);
    expect(first).toMatchObject({
      repeated: false,
      introduces: true,
      stages: { before: "identified", after: "interested" },
    });
    expect(second).toEqual({ ...first, repeated: true });
    const { results: later, decision } = memory.record(report);
    expect(good(later[0]).outcomes[0]).toEqual(second);
    expect([decision.needs.entities.size, decision.needs.names.size, decision.evidence.length]).toEqual([0, 0, 0]);
    expect([...results, ...later].map((one) => countNew(good(one)))).toEqual([1, 0, 0]);
  });
});

test("the first pass over an empty world asks for what the second needs", () => {
  const memory = new Memory();
  memory.record(about("anna@acme.com"));
  const report = about("anna@acme.com", state("job_title", "CEO"), activity("website_visit"));
  const world = memory.world([report]);
  const seen = { ...world, rules: null, evidence: new Map(), weighed: new Set<string>(), subjects: new Map() };
  const decision = new Decision(seen);
  decision.take(report);
  const anna = memory.owners.get("email anna@acme.com") as string;
  expect([...decision.needs.entities]).toEqual([anna]);
  expect([...decision.needs.subjects]).toEqual([anna]);
  expect([...decision.needs.evidence.values()].map(({ property }) => property)).toEqual([
    "job_title",
    "pipeline_stage",
  ]);
  expect(decision.needs.rules).toBe(true);
});

describe("what changes besides evidence", () => {
  const stored = (id: string, named: readonly Identifier[]) => (world: World) => ({
    subjects: new Map([...world.subjects, [id, { ...world.subjects.get(id), identifiers: named } as never]]),
  });

  test("a status without a bulk action names none, and the row is written", () => {
    const { memory, ids } = memoryOf(a);
    const [contact] = decideIn(memory, [{ about: { id: ids[0] as string }, drafts: [], status: "archived" }]).contacts;
    expect([contact?.entity.status, contact?.action, contact?.shown]).toEqual(["archived", null, true]);
  });

  test("a preferred or new identifier is shown", () => {
    const { memory, ids } = memoryOf(a);
    const change = (report: Omit<Report, "drafts" | "about">, gets: Identifier[] = []) => {
      const { contacts, decision } = decideIn(memory, [
        { about: { id: ids[0] as string, gets }, drafts: [], ...report },
      ]);
      const [contact] = contacts;
      return [contact?.prefers, contact?.gets, contact?.shown, [...decision.needs.subjects]];
    };
    expect(change({})).toEqual([null, [], false, []]);
    expect(change({ prefers: email(a) })).toEqual([email(a), [], true, ids]);
    expect(change({}, [url("x"), url("y")])).toEqual([null, [url("x"), url("y")], true, ids]);
  });

  test.each<[string, NonNullable<Report["loses"]>, Identifier[]]>([
    ["all of a kind", [{ kind: "email" }], [email(a), email(b)]],
    ["one", [{ kind: "email", value: b }], [email(b)]],
    ["of two kinds", [{ kind: "linkedin_url" }, { kind: "email", value: a }], [email(a), url("x")]],
    ["none that it has", [{ kind: "email", value: c }, { kind: "domain" }], []],
  ])("identifiers are lost: %s", (_, loses, lost) => {
    const { memory, ids } = memoryOf(a);
    const [anna = ""] = ids;
    const { contacts, decision } = decideIn(
      memory,
      [{ about: { id: anna }, drafts: [], loses }],
      stored(anna, [email(a), email(b), url("x")]),
    );
    expect(contacts[0]?.loses).toEqual(lost);
    expect([...decision.needs.names.values()]).toEqual(lost);
    expect([contacts[0]?.shown, [...decision.needs.subjects]]).toEqual([true, [anna]]);
  });

  test("an identifier of this call can be lost again, once, and another's stays", () => {
    const memory = new Memory();
    const lose = (value: string): Report => ({ ...about(b), loses: [{ kind: "email", value }] });
    const both: Report = { about: { named: [email(b), email(c), url("b")], type: "person", create: true }, drafts: [] };
    const { decision, contacts } = decideIn(memory, [about(a), both, lose(c), lose(c)]);
    const [, ben] = contacts;
    expect(decision.identifiers.map(({ value, lost }) => [value, lost])).toEqual([
      [a, false],
      [b, false],
      [c, true],
      [url("b").value, false],
    ]);
    expect([ben?.gets, ben?.loses]).toEqual([[email(b), url("b")], [email(c)]]);
  });

  test("an identifier is lost once in a call, and may come back and be lost again", () => {
    const { memory, ids } = memoryOf(a);
    const [anna = ""] = ids;
    const lose = (value: string): Report => ({ about: { id: anna }, drafts: [], loses: [{ kind: "email", value }] });
    const loseAll: Report = { about: { id: anna }, drafts: [], loses: [{ kind: "email" }] };
    const get: Report = { about: { id: anna, gets: [email(a)] }, drafts: [] };
    const leaves = (...reports: Report[]) => {
      const has = stored(anna, [email(a), email(b)]);
      const { decision, contacts, results } = decideIn(memory, [...reports, about(a)], has);
      const got = decision.identifiers.map(({ value, entityId, lost }) => [value, entityId === anna, lost]);
      return [good(results.at(-1)).entity.id === anna, contacts[0]?.loses, contacts[0]?.gets, got];
    };
    const hers = [a, true, false];
    const others = [a, false, false];
    expect(leaves(lose(a), loseAll)).toEqual([false, [email(a), email(b)], [], [others]]);
    expect(leaves(lose(a), get)).toEqual([true, [email(a)], [email(a)], [hers]]);
    expect(leaves(lose(a), get, lose(a))).toEqual([false, [email(a)], [], [[a, true, true], others]]);
  });

  test("an identifier that moved to another person in this call is lost by the other", () => {
    const { memory, ids } = memoryOf(a, b);
    const [anna = "", ben = ""] = ids;
    const get = (id: string): Report => ({ about: { id, gets: [url("x")] }, drafts: [] });
    const lose = (id: string): Report => ({ about: { id }, drafts: [], loses: [{ kind: "linkedin_url" }] });
    const { decision } = decideIn(memory, [get(anna), lose(anna), get(ben), lose(ben)]);
    expect(decision.identifiers.map(({ entityId, lost }) => [entityId, lost])).toEqual([
      [anna, true],
      [ben, true],
    ]);
    // What Anna lost before is Ben's, whatever else she loses.
    const given: Report[] = [
      { about: { id: anna }, drafts: [], loses: [{ kind: "email", value: a }] },
      { about: { id: ben, gets: [email(a)] }, drafts: [] },
      { about: { id: anna }, drafts: [], loses: [{ kind: "email" }] },
    ];
    const { results } = decideIn(memory, [...given, about(a)], stored(anna, [email(a), email(c)]));
    expect(good(results.at(-1)).entity.id).toBe(ben);
  });

  test("a company that gets or loses an identifier locks the domain it is shown with", () => {
    const { memory } = memoryOf("anna@acme.com");
    const acme = memory.owners.get("domain acme.com") as string;
    const held = (report: Omit<Report, "about" | "drafts">, gets: Identifier[] = []) => {
      const { decision } = decideIn(memory, [{ about: { id: acme, gets }, drafts: [], ...report }], ({ lookups }) => ({
        lookups: new Map(
          [...lookups].map(([key, one]) => [key, one.id === acme ? { ...one, domain: "shown.io" } : one]),
        ),
      }));
      return [...decision.needs.names.keys()];
    };
    expect(held({})).toEqual([]);
    expect(held({}, [url("x")])).toEqual([identifierKey(url("x")), "domain shown.io"]);
    expect(held({ loses: [{ kind: "domain" }] })).toEqual(["domain shown.io", "domain acme.com"]);
  });

  test("the workspace itself has no row", () => {
    const memory = new Memory();
    const report: Report = {
      about: { id: workspaceId },
      drafts: [state("note.1", "A"), activity("call")],
    };
    const { contacts, decision } = decideIn(memory, [report], () => ({
      lookups: new Map([[workspaceId, { ...noOne, id: workspaceId, type: "workspace" }]]),
    }));
    expect([contacts[0]?.shown, [...decision.needs.subjects], decision.events]).toEqual([false, [], []]);
    expect(contacts[0]?.activityAt).toEqual(at);
  });

  test("an identifier of a new person is as old as the person", () => {
    const { decision, contacts } = decideIn(new Memory(), [about(a)]);
    expect(decision.namedAt(contacts[0] as Contact)).toEqual(at);
  });
});

describe("the answer to a report", () => {
  test("names what was derived again: given properties that have a value, and the stage if it moved", () => {
    const { memory } = memoryOf(a);
    const recomputed = (...drafts: Draft[]) => good(memory.record(about(a, ...drafts)).results[0]).recomputed;
    expect(recomputed(state("region", null), activity("call"))).toEqual([]);
    expect(recomputed(state("job_title", "CEO"), activity("call"), activity("meeting_held"))).toEqual([
      ...["job_title", "pipeline_stage"],
    ]);
    expect(recomputed({ ...activity("x"), property: "job_title" })).toEqual([]);
    expect(recomputed(state("job_title", null))).toEqual(["job_title"]);
    expect(good(memory.record(about("ben@acme.com", state("region", "EU"))).results[0]).recomputed).toEqual(["region"]);
  });

  test("that repeats has the time and the contact, and nothing else", () => {
    const { memory, ids } = memoryOf(a);
    const [anna] = ids;
    const report: Report = { about: { id: anna as string }, drafts: [activity("email_received", "1")] };
    const [first] = memory.record(report).results;
    const outcome = { ...good(first).outcomes[0], repeated: true };
    const { results, contacts } = decideIn(memory, [report]);
    expect(results[0]).toStrictEqual({
      entity: { ...contacts[0]?.entity, created: false, attached: [] },
      ...{ at, outcomes: [outcome], believed: [], recomputed: [], held: [] },
    });
    expect([good(first).at, contacts[0]?.isReported]).toEqual([at, false]);
  });

  test("to a repeated state says what is believed, and needs its evidence", () => {
    const { memory } = memoryOf(a);
    const report = about(a, state("region", "EU", { externalId: "1" }));
    memory.record(report);
    const { results, decision } = decideIn(memory, [report]);
    const { outcomes, believed } = good(results[0]);
    const [stored] = memory.evidence.filter(({ property }) => property === "region");
    expect(outcomes).toStrictEqual([
      { id: stored?.id, of: stored?.entityId, repeated: true, stages: null, introduces: false },
    ]);
    expect(believed).toEqual([{ property: "region", value: "EU", changed: false }]);
    const id = stored?.entityId as string;
    expect([...decision.needs.evidence.values()]).toEqual([{ id, parts: [id], property: "region" }]);
  });

  test("to a value that was said before on the same terms is the earlier one, and nothing is recorded", () => {
    const { memory } = memoryOf(a);
    memory.record(about(a, state("region", "EU")));
    const [stored] = memory.evidence.slice(-1);
    const { results, decision } = decideIn(memory, [about(a, state("region", "EU", { unlessSaid: true }))]);
    expect(good(results[0]).outcomes).toStrictEqual([
      { id: stored?.id, of: stored?.entityId, repeated: true, stages: null, introduces: false },
    ]);
    expect([decision.evidence, decision.needs.evidence.size]).toEqual([[], 1]);
  });

  test("to a new state says that it is no repeat", () => {
    const { memory, ids } = memoryOf(a);
    const { results, decision, contacts } = decideIn(memory, [about(a, state("region", "EU"))]);
    expect(contacts[0]?.isReported).toBe(true);
    expect(good(results[0]).outcomes).toStrictEqual([
      { id: decision.evidence[0]?.id, of: ids[0], repeated: false, stages: null, introduces: false },
    ]);
  });

  test("compares with the belief before all drafts about a property", () => {
    const { memory } = memoryOf(a);
    memory.record(about(a, state("region", "US")));
    const changed = (...values: string[]) =>
      good(decideIn(memory, [about(a, ...values.map((value) => state("region", value)))]).results[0]).believed.map(
        (one) => one.changed,
      );
    expect([changed("EU", "EU"), changed("EU", "US"), changed("US", "EU")]).toEqual([[true], [false], [true]]);
    const twice = about(a, state("size", 7), state("size", 7));
    expect(good(decideIn(memory, [twice]).results[0]).believed.map((one) => one.changed)).toEqual([true]);
  });

  test("says what a stage was set to, although a later activity moved it on", () => {
    const { memory } = memoryOf(a);
    const { results } = decideIn(memory, [about(a, state("pipeline_stage", "aware"), activity("meeting_held"))]);
    expect(good(results[0]).believed).toEqual([{ property: "pipeline_stage", value: "aware", changed: true }]);
  });

  test.each<[string, Report, boolean[]]>([
    [
      "the first draft with its introduction",
      { ...about(b, activity("call"), activity("call")), introduces: [] },
      [true, false],
    ],
    ["nothing without one", about(b, activity("call")), [false]],
    ["nothing for a known person", { ...about(a, activity("call")), introduces: [] }, [false]],
  ])("says that someone became known by %s", (_, report, introduces) => {
    const { memory } = memoryOf(a);
    const { results } = decideIn(memory, [report]);
    expect(good(results[0]).outcomes.map((one) => one.introduces)).toEqual(introduces);
  });

  test("the first draft of an introduction keeps its id or gets a new one, and the rest follows", () => {
    const learned = (...drafts: Draft[]) =>
      decideIn(new Memory(), [{ ...about(a, ...drafts), introduces: [state("first_name", "Anna")] }]).decision.evidence;
    const [source, name, first, second] = learned({ ...activity("call"), id: "own" }, activity("email_sent"));
    expect(first?.stageBefore).toBeNull();
    expect([source?.causedBy, name?.causedBy, first?.id, second?.property]).toEqual([
      ...["own", "own", "own", "interaction.email_sent"],
    ]);
    expect(learned().map(({ property, causedBy }) => [property, causedBy])).toEqual([
      ["source", null],
      ["first_name", null],
    ]);
  });

  test.each<[Lookup["stage"], Lookup["stage"], Lookup["stage"], object]>([
    [null, null, "aware", { stages: { before: "aware", after: "aware" }, introduces: false }],
    [null, "aware", "client", { stages: { before: "identified", after: "aware" }, introduces: true }],
    ["aware", "interested", "client", { stages: { before: "aware", after: "interested" }, introduces: false }],
    ["aware", null, "client", { stages: { before: "aware", after: "client" }, introduces: false }],
    [null, null, null, { stages: null, introduces: false }],
  ])("that repeats what moved from %s to %s, at %s", (before, after, stage, outcome) => {
    const first = { id: "o", of: "anna" };
    expect(outcomeOf({ ...first, before, after }, stage)).toEqual({ ...first, repeated: true, ...outcome });
  });
});

describe("what was said under an external id", () => {
  test("is no activity where a state or another event repeats it", () => {
    const { memory } = memoryOf(a);
    memory.record(about(a, activity("meeting_held", "1"), { ...activity("x", "2"), property: "signed_up" }));
    const outcomes = (...drafts: Draft[]) => good(decideIn(memory, [about(a, ...drafts)]).results[0]).outcomes;
    memory.record({ ...about(a, activity("call", "3")), introduces: [] });
    memory.record({ ...about(b, activity("call", "3")), introduces: [] });
    const nothing = { repeated: true, stages: null, introduces: false };
    for (const address of [a, b]) {
      const report = about(address, state("region", "EU", { externalId: "3" }));
      expect(good(decideIn(memory, [report]).results[0]).outcomes).toMatchObject([nothing]);
    }
    expect(outcomes(state("interaction.call", "x", { externalId: "1" }))).toMatchObject([nothing]);
    expect(outcomes({ ...activity("x", "1"), property: "signed_up" })).toMatchObject([nothing]);
    expect(outcomes({ ...activity("x", "2"), property: "signed_up" })).toMatchObject([nothing]);
    expect(outcomes(activity("meeting_held", "1"))).toMatchObject([{ ...nothing, stages: { after: "evaluating" } }]);
  });

  test("counts as new where it was not looked up", () => {
    const { memory } = memoryOf(a);
    const { results } = decideIn(memory, [about(a, activity("call", "undefined"), activity("call"))]);
    expect(countNew(good(results[0]))).toBe(2);
    const unseen = decideIn(memory, [about(a, activity("call", "1"))], ({ lookups }) => ({
      lookups: new Map([...lookups].filter(([key]) => !key.includes("\n"))),
    }));
    expect(countNew(good(unseen.results[0]))).toBe(1);
  });
});

describe("the events of a report", () => {
  test("are that the contact exists, by their first evidence, and what happened", () => {
    const { decision, contacts } = decideIn(new Memory(), [
      about(a, activity("call")),
      about(b, state("source", "clay")),
      ofCompany("acme.com"),
    ]);
    const [anna, ben] = contacts.map(({ entity }) => entity.id);
    const [source, call] = decision.evidence;
    expect(decision.events).toStrictEqual([
      { type: "contact.created", entityId: anna, observationId: source?.id },
      { type: "activity.call", entityId: anna, observationId: call?.id },
      { type: "contact.created", entityId: ben, observationId: null },
    ]);
  });

  const staged = state("pipeline_stage", "evaluating", { method: "asserted" });
  test.each<[string, Draft[], object | null]>([
    ["by the person who set it", [state("job_title", "CEO"), staged, state("region", "EU")], { activity_id: null }],
    ["by what it was set for", [{ ...staged, causedBy: "meeting" }], { activity_id: "meeting" }],
    ["any event of that name", [staged, { ...activity("x"), property: "pipeline_stage" }], { activity_id: null }],
    ["not by a lower one", [state("pipeline_stage", "identified", { method: "asserted" })], null],
  ])("tell that a stage was set higher: %s", (_, drafts, data) => {
    const { memory, ids } = memoryOf(a);
    const { decision } = decideIn(memory, [about(a, ...drafts)]);
    const [set] = decision.evidence.filter(({ property, kind }) => property === "pipeline_stage" && kind === "state");
    const advanced = { type: "stage.advanced", entityId: ids[0], observationId: set?.id };
    const from = { from: "identified", to: "evaluating" };
    expect(decision.events).toStrictEqual(data === null ? [] : [{ ...advanced, data: { ...from, ...data } }]);
  });

  test("name the activity that moved a stage as its cause", () => {
    const { memory, ids } = memoryOf(a);
    const held = activity("meeting_held", undefined, { source: "cal" });
    const { decision } = decideIn(memory, [about(a, held)]);
    const [happened, moved] = decision.evidence;
    expect([happened?.stageBefore, happened?.stageAfter]).toEqual(["identified", "evaluating"]);
    expect(moved).toMatchObject({ property: "pipeline_stage", source: "cal", method: "asserted", observedAt: at });
    expect(decision.events).toStrictEqual([
      { type: "activity.meeting_held", entityId: ids[0], observationId: happened?.id },
      {
        ...{ type: "stage.advanced", entityId: ids[0], observationId: moved?.id },
        data: { from: "identified", to: "evaluating", activity_id: happened?.id },
      },
    ]);
  });

  test("are none for a correction, even one that sets a stage", () => {
    const { memory } = memoryOf(a);
    expect(decideIn(memory, [{ ...about(a, staged), amends: true }]).decision.events).toEqual([]);
  });

  test("of a lead come in the order of the activities, with their times", () => {
    const { memory, ids } = memoryOf(a);
    const reports = [
      about(a, activity("email_sent", undefined, { observedAt: new Date(5) }), activity("email_received")),
    ];
    const { decision } = decideIn(memory, reports, ({ lookups }) => ({
      lookups: new Map([...lookups].map(([key, one]) => [key, { ...one, isLead: true }])),
    }));
    const [sent, replied] = decision.evidence;
    expect(decision.leadNews).toStrictEqual([
      { entityId: ids[0], observationId: sent?.id, says: "sent", at: new Date(5) },
      { entityId: ids[0], observationId: replied?.id, says: "replied", at },
    ]);
  });
});

describe("what moves a stage", () => {
  const own = { max_age_days: 1, rules: [{ type: "call", stage: "client" }] } as const;
  test("is the workspace's own table, and the event that an activity names", () => {
    const { memory } = memoryOf(a);
    const stageAfter = (draft: Draft, rules: World["rules"]) => {
      const { decision, contacts } = decideIn(memory, [about(a, draft)], () => ({ rules }));
      return [contacts[0]?.stage, decision.needs.rules];
    };
    expect(stageAfter(activity("call"), own)).toEqual(["client", false]);
    expect(stageAfter(activity("meeting_held"), own)).toEqual(["identified", false]);
    expect(stageAfter(activity("custom", undefined, { value: { event: "deal_won" } }), null)).toEqual(["client", true]);
  });

  test("is never an activity of a company", () => {
    const { memory } = memoryOf("anna@acme.com");
    const report = ofCompany("acme.com", state("pipeline_stage", "aware"), activity("meeting_held"));
    const { decision, results, contacts } = decideIn(memory, [report], () => ({ rules: null }));
    expect(good(results[0]).outcomes.map(({ stages }) => stages)).toEqual([null, null]);
    expect(decision.evidence[1]).toMatchObject({ stageBefore: null, stageAfter: null });
    expect([contacts.map(({ stage }) => stage), decision.needs.rules]).toEqual([[null], false]);
    expect(decision.events.map(({ type }) => type)).toEqual(["activity.meeting_held"]);
  });

  test("is not a repeated stage whose evidence is not read yet", () => {
    const { memory } = memoryOf(a);
    const set = state("pipeline_stage", "client", { externalId: "1", method: "asserted" });
    memory.record(about(a, set));
    const { results } = decideIn(memory, [about(a, set, activity("meeting_held"))], () => ({ evidence: new Map() }));
    expect(good(results[0]).outcomes[1]?.stages).toEqual({ before: "client", after: "client" });
  });

  test("is not a state with the name of an activity", () => {
    const { memory } = memoryOf(a);
    const { decision, contacts } = decideIn(memory, [about(a, state("interaction.meeting_held", "x"))]);
    expect([decision.events, contacts[0]?.touched]).toEqual([[], false]);
  });

  test("a value that follows from another one moves none", () => {
    const { memory } = memoryOf(a);
    const [contact] = decideIn(memory, [about(a, state("region", "EU", { causedBy: "call" }))]).contacts;
    expect([contact?.moved, contact?.touched, contact?.shown]).toEqual([false, false, true]);
  });
});

test("an event that is no activity counts as happened, and needs no evidence", () => {
  const { memory } = memoryOf(a);
  const happened = (observedAt: Date) => {
    const { contacts, decision } = decideIn(memory, [
      about(a, { ...activity("x"), property: "signed_up", observedAt }),
    ]);
    return [contacts[0]?.activityAt, decision.needs.evidence.size];
  };
  expect(happened(new Date(7))).toEqual([new Date(7), 0]);
  expect(happened(new Date(-7))).toEqual([new Date(-7), 0]);
});

test("only an employer's domain is locked, not that of a company in another property", () => {
  const { memory } = memoryOf("anna@acme.com", a);
  const acme = memory.owners.get("domain acme.com") as string;
  const { decision } = decideIn(memory, [about(a, state("partner", acme))], ({ lookups }) => ({
    lookups: new Map([...lookups].map(([key, one]) => [key, one.id === acme ? { ...one, domain: "acme.com" } : one])),
  }));
  expect(decision.needs.names.size).toBe(0);
});

describe("what is looked up", () => {
  const id = "0190a6e0-0000-7000-8000-000000000009";
  const other = "0190a6e0-0000-7000-8000-000000000008";
  const under = (who: Identifier, source: string, externalId: string) => ({ who, source, externalId });
  test.each<[string, Report, ReturnType<typeof referencesOf>]>([
    [
      "the person who is named",
      { about: { id, gets: [email(a)] }, drafts: [] },
      [referenceTo({ id }), referenceTo(email(a))],
    ],
    ["no one", { about: { named: [], type: "person", create: true }, drafts: [activity("call", "1")] }, []],
    [
      "what was said under external ids, by the first name",
      {
        about: { named: [email(a), url("x"), url("y")], type: "person", create: true },
        drafts: [activity("call", "1"), activity("call"), activity("call", "2", { source: "gmail" })],
      },
      [under(email(a), "api", "1"), under(email(a), "gmail", "2"), referenceTo(url("x")), referenceTo(url("y"))],
    ],
    [
      "the employers that are said by id",
      about(a, state("works_at", id), state("works_at", "Acme"), state("works_at", [id]), state("partner", other)),
      [referenceTo(email(a)), referenceTo({ id })],
    ],
    [
      "the employer that is described",
      { ...about(a), employer: { ...ofCompany("acme.com"), terms: { source: "api", observedAt: null } } },
      [referenceTo(email(a)), referenceTo({ kind: "domain", value: "acme.com" })],
    ],
  ])("for a report: %s", (_, report, references) => {
    expect(referencesOf(report)).toStrictEqual(references);
  });

  test("has keys that do not run together", () => {
    const keys = [
      ...[
        ["b", "cd"],
        ["bc", "d"],
      ].map(([source = "", externalId = ""]) => keyOf(under(email("a"), source, externalId))),
      ...[
        keyOf({ who: { id: "a" }, source: "b", externalId: "c" }),
        keyOf({ who: { id: "ab" }, source: "", externalId: "c" }),
      ],
    ];
    expect(new Set(keys).size).toBe(4);
    const pairs = [
      ...[
        pairOf({ id: "a", absorbed: ["b"] }, "x"),
        pairOf({ id: "ab", absorbed: [] }, "x"),
        pairOf({ id: "a", absorbed: [] }, "x"),
      ],
      ...[pairOf({ id: "c", absorbed: ["b"] }, "x"), pairOf({ id: "a", absorbed: [] }, "bx")],
    ];
    expect(new Set(pairs).size).toBe(5);
  });

  test("the evidence on a property counts what was merged", () => {
    const { memory, ids } = memoryOf(a);
    const [anna = ""] = ids;
    const { decision } = decideIn(memory, [about(a, state("region", "EU"))], ({ lookups }) => ({
      lookups: new Map(
        [...lookups].map(([key, one]) => [key, one.id === anna ? { ...one, absorbed: ["merged"] } : one]),
      ),
    }));
    expect([...decision.needs.evidence]).toEqual([
      [`${anna} merged region`, { id: anna, parts: [anna, "merged"], property: "region" }],
    ]);
  });
});
