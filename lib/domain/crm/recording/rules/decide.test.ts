import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFault } from "#lib/core/errors.ts";
import { canonicalJson } from "#lib/core/json.ts";
import { type EntityRow, identifierKey, type Named } from "#lib/domain/records/entities/service.ts";
import {
  claimsOf,
  type Draft,
  type EvidenceOf,
  type NewClaim,
  type StoredEvidence,
} from "#lib/domain/records/evidence/service.ts";
import { type Contact, countNew, outcomeOf, type Told } from "./contact.ts";
import { Decision } from "./decide.ts";
import { companyRow, personRow } from "./rows.ts";
import { shownAfter } from "./shown.ts";
import { stageOf, standardRules } from "./stages.ts";
import { keyOf, type Looked, pairOf, type Report, referencesOf, referenceTo, type World } from "./world.ts";

const at = new Date("2026-11-21T12:00:00Z");
const workspaceId = "00000000-0000-7000-8000-000000000000";
const noOne: Looked = {
  ...{ now: at, id: null, type: "person", status: "active", absorbed: [], createdAt: at, isLead: false },
  ...{ stage: null, name: null, domain: null, known: null },
};

/** A workspace in memory: what a database keeps of what was decided, and the world it reads for the next reports. */
class Memory {
  readonly entities = new Map<string, EntityRow & { isLead: boolean }>();
  readonly owners = new Map<string, string>();
  readonly evidence: (StoredEvidence & { entityId: string; stages: [unknown, unknown] })[] = [];
  readonly claims = new Map<string, NewClaim>();
  readonly events: { type: string; entityId: string; data?: unknown }[] = [];
  private made = 0;

  newId = (): string => `00000000-0000-7000-8000-${String(++this.made).padStart(12, "0")}`;

  record(...reports: Report[]): { results: ReturnType<Decision["take"]>[]; decision: Decision } {
    const world = this.world(reports);
    const decision = new Decision(world);
    const results = reports.map((report) => decision.take(report));
    for (const { entity } of decision.contacts.values())
      this.entities.set(entity.id, { ...entity, isLead: this.entities.get(entity.id)?.isLead ?? false });
    for (const { entity, loses } of decision.contacts.values())
      for (const named of loses)
        if (this.owners.get(identifierKey(named)) === entity.id) this.owners.delete(identifierKey(named));
    for (const { entityId, lost, ...named } of decision.identifiers)
      if (!lost) this.owners.set(identifierKey(named), entityId);
    for (const item of decision.evidence)
      this.evidence.push({
        ...item,
        seq: this.evidence.length + 1,
        stages: [item.stageBefore ?? null, item.stageAfter ?? null],
      });
    for (const claim of decision.claims()) this.claims.set(`${claim.entityId} ${claim.property}`, claim);
    this.events.push(...decision.events);
    return { results, decision };
  }

  claimsOf = (id: string): Map<string, unknown> =>
    new Map(
      [...this.claims.values()].flatMap(({ entityId, property, belief }) =>
        entityId === id && belief.ended === null ? [[property, belief.value] as const] : [],
      ),
    );

  identifiersOf = (id: string): Named[] =>
    [...this.owners]
      .filter(([, owner]) => owner === id)
      .map(([name]) => ({
        kind: name.slice(0, name.indexOf(" ")) as Named["kind"],
        value: name.slice(name.indexOf(" ") + 1),
      }))
      .toReversed();

  world(reports: readonly Report[]): World {
    const references = [
      ...reports.flatMap(referencesOf),
      ...[...this.owners].map(([name]) =>
        referenceTo({ kind: name.split(" ")[0] as Named["kind"], value: name.split(" ")[1] as string }),
      ),
      ...["acme.com", "globex.io"].map((value) => referenceTo({ kind: "domain", value })),
      ...[...this.entities.keys()].map((id) => referenceTo({ id })),
    ];
    const looked = references.flatMap((reference) => {
      const { who } = reference;
      const found = this.lookedAt("kind" in who ? this.owners.get(identifierKey(who)) : who.id, reference);
      return [
        [keyOf(reference), found],
        ["kind" in who ? identifierKey(who) : who.id, found],
      ] as const;
    });
    const properties = new Set(this.evidence.map(({ property }) => property));
    return {
      ...{ at, workspaceId, source: "api", newId: this.newId, rules: standardRules, erased: new Map() },
      looked: new Map(looked),
      evidence: Map.groupBy(this.evidence, ({ entityId }) => entityId),
      weighed: new Set(
        [...this.entities.values()].flatMap((entity) => [...properties].map((one) => pairOf(entity, one))),
      ),
      subjects: new Map(
        [...this.entities.values()].map(({ id, status }) => [
          id,
          {
            ...{ id, status, name: null, domain: null, formerId: null, employer: null, noted: null },
            ...{ identifiers: this.identifiersOf(id), namedAt: null },
            claims: [...this.claimsOf(id)],
          },
        ]),
      ),
    };
  }

  private lookedAt(id: string | undefined, { source, externalId }: ReturnType<typeof referenceTo>): Looked {
    const entity = this.entities.get(id ?? "");
    if (!entity) return noOne;
    const known = this.evidence.find(
      (one) => externalId !== null && one.entityId === id && one.source === source && one.externalId === externalId,
    );
    const [before, after] = (known?.stages ?? [null, null]) as [Looked["stage"], Looked["stage"]];
    const stage = entity.type === "person" ? stageOf(this.claimsOf(entity.id).get("pipeline_stage")) : null;
    return { ...noOne, ...entity, stage, known: known ? { id: known.id, of: known.entityId, before, after } : null };
  }
}

const email = (value: string): Named => ({ kind: "email", value });
const state = (property: string, value: unknown, more: Partial<Draft> = {}): Draft => ({
  ...{ kind: "state", property, value, source: "api", method: "observed", observedAt: null },
  ...more,
});
const activity = (type: string, externalId?: string, more: Partial<Draft> = {}): Draft => ({
  ...{ kind: "event", property: `interaction.${type}`, value: {}, source: "api", method: "observed", observedAt: null },
  ...(externalId === undefined ? {} : { externalId }),
  ...more,
});
const about = (address: string, ...said: Draft[]): Report => ({
  about: { named: [email(address)], type: "person", create: true },
  said,
});
const good = (result: ReturnType<Decision["take"]> | undefined): Told => {
  if (result === undefined || isFault(result)) throw new Error(`was refused: ${String(result?.code)}`);
  return result;
};
const said = (memory: Memory): unknown[] =>
  memory.evidence.map(({ property, value, source, causedBy }) => [property, value, source, causedBy !== null]);

describe("who a report is about", () => {
  test("someone new has a source, and an employer by the domain of a business address", () => {
    const memory = new Memory();
    const { decision, results } = memory.record(about("anna@acme.com", state("job_title", "CEO")));
    const told = good(results[0]);
    const company = memory.owners.get("domain acme.com");
    expect(told.entity).toMatchObject({ type: "person", created: true });
    expect(said(memory)).toEqual([
      ["source", "api", "api", false],
      ["source", "api", "api", false],
      ["works_at", company, "api", false],
      ["job_title", "CEO", "api", false],
    ]);
    expect(decision.feed.map(({ type }) => type)).toEqual(["company.created", "person.created"]);
    expect(memory.events).toMatchObject([{ type: "contact.created", entityId: told.entity.id }]);
    expect([...decision.needs.names.keys()]).toEqual(["email anna@acme.com", "domain acme.com"]);
  });

  test.each([
    ["a mailbox provider names no company", about("anna@gmail.com"), undefined],
    ["what is said of an employer counts", about("anna@acme.com", state("works_at", null)), undefined],
  ])("%s", (_, report, company) => {
    const memory = new Memory();
    memory.record(report);
    expect(memory.owners.get("domain acme.com")).toBe(company);
  });

  test("is shown with the company that they work for: one that is new, one that is there, or none", () => {
    const memory = new Memory();
    const employerAfter = (report: Report, rename?: string) => {
      const world = memory.world([report]);
      const acme = memory.owners.get("domain acme.com");
      const looked = new Map(
        [...world.looked].map(([key, one]) => [key, one.id === acme && rename ? { ...one, name: rename } : one]),
      );
      const decision = new Decision({ ...world, looked });
      const { entity } = good(decision.take(report));
      const contact = decision.contacts.get(entity.id) as Contact;
      const before = world.subjects.get(entity.id) ?? null;
      const stored = before && { ...before, employer: { id: "stored", name: "Stored", domain: null } };
      return shownAfter(contact, stored, decision.contacts, looked).employer;
    };
    memory.record(about("anna@acme.com"));
    const acme = memory.owners.get("domain acme.com") as string;
    const anna = memory.owners.get("email anna@acme.com") as string;
    expect(employerAfter(about("cara@globex.io"))).toMatchObject({ name: null, domain: null });
    expect(employerAfter(about("ben@acme.com"), "Acme")).toEqual({ id: acme, name: "Acme", domain: null });
    expect(employerAfter(about("anna@acme.com", state("job_title", "CEO")))).toMatchObject({ name: "Stored" });
    for (const value of ["Acme", anna, 7, "0190a6e0-0000-7000-8000-000000000009", null])
      expect(employerAfter(about("cara@gmail.com", state("works_at", value))), String(value)).toBeNull();
  });

  test("the first business address names the employer, whatever comes after it", () => {
    const memory = new Memory();
    const named = ["anna@gmail.com", "anna@acme.com", "anna@globex.io"].map(email);
    memory.record({ about: { named, type: "person", create: true }, said: [] });
    expect(memory.owners.get("domain globex.io")).toBeUndefined();
    const employers = memory.evidence.filter(({ property }) => property === "works_at").map(({ value }) => value);
    expect(employers).toEqual([memory.owners.get("domain acme.com")]);
  });

  test("what comes with its cause is caused by the first thing said, of its employer too", () => {
    const memory = new Memory();
    const call = activity("call");
    memory.record({ ...about("anna@acme.com", call), introduces: [state("first_name", "Anna")] });
    const [{ id } = { id: "" }] = memory.evidence.filter(({ property }) => property === call.property);
    expect(memory.evidence.map(({ property, causedBy }) => [property, causedBy])).toEqual([
      ["source", id],
      ["source", id],
      ["works_at", id],
      ["first_name", id],
      [call.property, null],
    ]);
    // What introduces no one causes nothing, although it has an id.
    const ben = new Memory();
    ben.record(about("ben@gmail.com", { ...activity("call"), id: "own" }));
    expect(ben.evidence.map(({ property, causedBy }) => [property, causedBy])).toEqual([
      ["source", null],
      [call.property, null],
    ]);
    // Of someone who is known it is said no more, and nothing is caused.
    memory.record({ ...about("anna@acme.com", activity("email_sent")), introduces: [state("first_name", "Ann")] });
    expect(memory.evidence.slice(5).map(({ property, causedBy }) => [property, causedBy])).toEqual([
      ["interaction.email_sent", null],
    ]);
  });

  test("what is said of an employer is said before, and its contradiction leaves the rest", () => {
    const memory = new Memory();
    const employer = (...domains: string[]): NonNullable<Report["employer"]> => ({
      about: { named: domains.map((value) => ({ kind: "domain", value })), type: "company", create: true },
      said: [state("industry", "Steel")],
      terms: { source: "api", observedAt: null },
    });
    const { decision } = memory.record({
      ...about("anna@gmail.com", state("job_title", "CEO")),
      employer: employer("acme.com"),
    });
    const acme = memory.owners.get("domain acme.com");
    expect(decision.ofEmployers.map(({ property, entityId }) => [property, entityId])).toEqual([
      ["source", acme],
      ["industry", acme],
    ]);
    expect(memory.claimsOf(memory.owners.get("email anna@gmail.com") as string).get("works_at")).toBe(acme);
    memory.record({ ...about("ben@gmail.com"), employer: employer("globex.io") });
    const { results } = memory.record({ ...about("cara@gmail.com"), employer: employer("acme.com", "globex.io") });
    expect(good(results[0]).entity.created).toBe(true);
    expect(memory.claimsOf(memory.owners.get("email cara@gmail.com") as string).has("works_at")).toBe(false);
  });

  test("who is not there, and may be made by others, is held; without a name it is no one", () => {
    const memory = new Memory();
    const ask = (named: Named[], create: boolean | "unless_erased", erased = false) => {
      const report: Report = { about: { named, type: "person", create }, said: [activity("call")] };
      const world = { ...memory.world([report]), erased: new Map([["email a@acme.com", erased]]) };
      const decision = new Decision(world);
      const result = decision.take(report);
      return [isFault(result) ? result.code : result.entity.created, [...decision.needs.names.keys()]];
    };
    const named = [email("a@acme.com")];
    expect(ask(named, false)).toEqual(["entity_not_found", []]);
    expect(ask(named, "unless_erased", true)).toEqual(["entity_not_found", ["email a@acme.com"]]);
    expect(ask(named, "unless_erased")).toEqual([true, ["email a@acme.com", "domain acme.com"]]);
    expect(ask([], true)).toEqual(["identifier_required", []]);
  });

  test("an identifier that is new is later than those there are, by any clock", () => {
    const memory = new Memory();
    memory.record(about("anna@acme.com"));
    const anna = memory.owners.get("email anna@acme.com") as string;
    const report: Report = { about: { id: anna, gets: [email("anna@acme.io")] }, said: [] };
    const timeWith = (namedAt: Date | null) => {
      const world = memory.world([report]);
      const subjects = new Map([...world.subjects].map(([id, one]) => [id, { ...one, namedAt }]));
      const decision = new Decision({ ...world, subjects });
      decision.take(report);
      return decision.namedAt(decision.contacts.get(anna) as Contact).getTime() - at.getTime();
    };
    expect([null, -7, 0, 5].map((ms) => timeWith(ms === null ? null : new Date(at.getTime() + ms)))).toEqual([
      0, 0, 1, 6,
    ]);
  });

  test("a source that is given is not said twice, and not of who is known", () => {
    const memory = new Memory();
    memory.record(about("anna@gmail.com", state("source", "clay", { source: "clay" })));
    const anna = memory.owners.get("email anna@gmail.com") as string;
    memory.record({ about: { id: anna, gets: [email("anna@acme.com")] }, said: [] });
    const sources = memory.evidence.filter(({ property, entityId }) => property === "source" && entityId === anna);
    expect(sources.map(({ value }) => value)).toEqual(["clay"]);
  });

  test("an employer that is said by its id is looked up when it is not there, and only one that may be", () => {
    const memory = new Memory();
    const id = "0190a6e0-0000-7000-8000-000000000009";
    const needed = (value: unknown) => {
      const report = about("anna@gmail.com", state("works_at", value));
      const world = memory.world([report]);
      const looked = new Map([...world.looked].filter(([key]) => key !== id));
      const decision = new Decision({ ...world, looked });
      decision.take(report);
      return [...decision.needs.references.keys()];
    };
    expect(needed(id)).toEqual([id]);
    for (const value of ["Acme", 7, null]) expect(needed(value), String(value)).toEqual([]);
  });

  test("colleagues in one call have one employer", () => {
    const memory = new Memory();
    memory.record(about("anna@acme.com"), about("ben@acme.com"));
    const employers = memory.evidence.filter(({ property }) => property === "works_at").map(({ value }) => value);
    expect(new Set(employers)).toEqual(new Set([memory.owners.get("domain acme.com")]));
    expect(employers).toHaveLength(2);
  });

  test("identifiers of two people are a conflict, and nothing follows from it", () => {
    const memory = new Memory();
    memory.record(about("anna@acme.com"), about("ben@acme.com"));
    const before = memory.evidence.length;
    const both: Report = {
      ...about("x"),
      about: { named: [email("anna@acme.com"), email("ben@acme.com")], type: "person", create: true },
    };
    const { results } = memory.record(both, about("anna@acme.com", state("job_title", "CTO")));
    expect(results[0]).toMatchObject({ code: "identifier_conflict" });
    expect(memory.evidence.length).toBe(before + 1);
  });

  test("who is shown with a company's name and who changes it hold its domain", () => {
    const memory = new Memory();
    memory.record(about("anna@acme.com"));
    const id = memory.owners.get("domain acme.com") as string;
    const labelled = (report: Report) => {
      const world = memory.world([report]);
      const looked = new Map(
        [...world.looked].map(([key, one]) => [key, one.id === id ? { ...one, domain: "acme.org" } : one]),
      );
      const decision = new Decision({ ...world, looked });
      decision.take(report);
      return [...decision.needs.names.keys()];
    };
    expect(labelled({ about: { id }, said: [state("name", "Acme")] })).toEqual(["domain acme.org"]);
    expect(labelled({ about: { id }, said: [state("industry", "Steel")] })).toEqual([]);
    expect(labelled(about("cara@gmail.com", state("works_at", id)))).toContain("domain acme.org");
    expect(labelled(about("ben@acme.com"))).toContain("domain acme.org");
    // Also where it was not looked up by its id.
    const report = about("ben@acme.com");
    const world = memory.world([report]);
    const looked = new Map(
      [...world.looked].flatMap(([key, one]) =>
        key === id ? [] : [[key, one.id === id ? { ...one, domain: "acme.org" } : one] as const],
      ),
    );
    const decision = new Decision({ ...world, looked });
    decision.take(report);
    expect([...decision.needs.names.keys()]).toContain("domain acme.org");
  });

  test("an identifier that one report takes away is free for the next", () => {
    const memory = new Memory();
    memory.record(about("anna@acme.com"));
    const anna = memory.owners.get("email anna@acme.com") as string;
    const { results } = memory.record(
      { about: { id: anna }, said: [], loses: [{ kind: "email" }] },
      about("anna@acme.com"),
      { about: { id: anna }, said: [], status: "archived" },
    );
    expect(good(results[1]).entity.created).toBe(true);
    expect(memory.owners.get("email anna@acme.com")).not.toBe(anna);
    expect(memory.entities.get(anna)?.status).toBe("archived");
  });

  test("who was erased is not created by what no one decided, and an unknown id is no one", () => {
    const memory = new Memory();
    const report: Report = {
      about: { named: [email("a@acme.com")], type: "person", create: "unless_erased" },
      said: [activity("call")],
    };
    const decision = new Decision({ ...memory.world([report]), erased: new Map([["email a@acme.com", true]]) });
    expect(decision.take(report)).toMatchObject({ code: "entity_not_found" });
    expect([...decision.needs.erased.keys()]).toEqual(["email a@acme.com"]);
    expect(decision.take({ about: { id: "none" }, said: [] })).toMatchObject({ code: "entity_not_found" });
    expect(decision.evidence).toEqual([]);
  });

  test("a status is the bulk action's that set it, and no one's where it was so already", () => {
    const memory = new Memory();
    const [anna, ben] = memory
      .record(about("anna@acme.com"), about("ben@acme.com"))
      .results.map((one) => good(one).entity.id);
    memory.record({ about: { id: ben as string }, said: [], status: "archived" });
    const archive = (id: string | undefined): Report => ({
      ...{ about: { id: id as string }, said: [], status: "archived", action: "an action" },
    });
    const { contacts } = memory.record(archive(anna), archive(ben)).decision;
    const statusOf = (id: string | undefined) => {
      const { entity, wasStatus, action, shown } = contacts.get(id as string) as NonNullable<
        ReturnType<typeof contacts.get>
      >;
      return [wasStatus, entity.status, action, shown];
    };
    expect(statusOf(anna)).toEqual(["active", "archived", "an action", true]);
    expect(statusOf(ben)).toEqual(["archived", "archived", null, false]);
  });
});

describe("stages", () => {
  const moves = (memory: Memory) =>
    memory.events.flatMap(({ type, data }) => {
      const { from, to } = (data ?? {}) as { from?: string; to?: string };
      return type === "stage.advanced" ? [`${from} → ${to}`] : [];
    });

  test.each<[string, Draft[], string, string[]]>([
    ["an activity moves", [activity("email_received")], "interested", ["identified → interested"]],
    ["never back", [activity("meeting_held"), activity("website_visit")], "evaluating", ["identified → evaluating"]],
    ["a state of who is new is no news", [state("pipeline_stage", "client")], "client", []],
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
      "old news move nothing",
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

  test("a move is dated no earlier than what it moves from", () => {
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

  test("what changed once has changed, although it was said again after an activity", () => {
    const memory = new Memory();
    memory.record(about("anna@gmail.com", state("job_title", "CEO")));
    const cto = (externalId: string) => state("job_title", "CTO", { externalId });
    const { results } = memory.record(about("anna@gmail.com", cto("1"), activity("call"), cto("2")));
    expect(good(results[0]).believed).toEqual([{ property: "job_title", value: "CTO", changed: true }]);
    const { results: later } = memory.record(about("anna@gmail.com", cto("3")));
    expect(good(later[0]).believed).toEqual([{ property: "job_title", value: "CTO", changed: false }]);
  });

  test("a stage that is said again as it was recorded is the one that is believed", () => {
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

  test("when something happened is the latest of it, at most now; what we wrote ourselves is no activity", () => {
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

  test("of a lead, activities say what they say; a correction says nothing to anyone", () => {
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

test("the first pass over an empty world only asks for what the second needs", () => {
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

/** Decides on reports in a world that differs from what is stored. */
function decideIn(memory: Memory, reports: readonly Report[], differs: (world: World) => Partial<World> = () => ({})) {
  const world = memory.world(reports);
  const decision = new Decision({ ...world, ...differs(world) });
  const results = reports.map((report) => decision.take(report));
  return { decision, results, contacts: [...decision.contacts.values()] };
}

/** People who are known by these addresses, and their ids. */
function known(...addresses: string[]): { memory: Memory; ids: string[] } {
  const memory = new Memory();
  memory.record(...addresses.map((address) => about(address)));
  return { memory, ids: addresses.map((address) => memory.owners.get(`email ${address}`) as string) };
}

const ofCompany = (domain: string, ...drafts: Draft[]): Report => ({
  about: { named: [{ kind: "domain", value: domain }], type: "company", create: true },
  said: drafts,
});
const url = (slug: string): Named => ({ kind: "linkedin_url", value: `https://www.linkedin.com/in/${slug}` });
const [a, b, c] = ["anna@gmail.com", "ben@gmail.com", "cara@gmail.com"] as const;

describe("whom a report means", () => {
  test("by an id: one that is there, of a type that may be meant", () => {
    const { memory, ids } = known(a);
    const of = (id: string, only?: EntityRow["type"][]) => {
      const [result] = decideIn(memory, [{ about: { id, ...(only ? { only } : {}) }, said: [] }]).results;
      return isFault(result) ? [result.code, result.message] : result?.entity.id;
    };
    const [anna = ""] = ids;
    const none = ["entity_not_found", "No person or company in this workspace has that id."];
    expect([of(anna), of(anna, ["company", "person"])]).toEqual([anna, anna]);
    expect([of("none"), of(anna, ["company"])]).toEqual([none, none]);
  });

  test("by an id it gets what no one has, keeps what it has, and is refused what another has", () => {
    const { memory, ids } = known(a, b, c);
    const [anna = "", ben] = ids;
    const gets = (...named: Named[]) => good(memory.record({ about: { id: anna, gets: named }, said: [] }).results[0]);
    expect(gets(email(a), url("anna"), url("anna2")).entity).toMatchObject({
      ...{ id: anna, created: false, attached: [url("anna"), url("anna2")] },
    });
    const [refused] = memory.record({
      about: { id: anna, gets: [email(a), url("x"), email(b), email(c)] },
      said: [],
    }).results;
    expect(isFault(refused) && [refused.code, refused.extras]).toEqual([
      "identifier_conflict",
      { entity_id: ben, parameter: "email" },
    ]);
    expect(memory.owners.has("linkedin_url https://www.linkedin.com/in/x")).toBe(false);
  });

  test("by identifiers: of several entities the first that differs is named, of another type the one there is", () => {
    const { memory, ids } = known(a, b, c);
    const [anna, ben] = ids;
    const refusal = (named: Named[], type: "person" | "company") => {
      const [result] = decideIn(memory, [{ about: { named, type, create: true }, said: [] }]).results;
      return isFault(result) ? [result.code, result.extras, result.message] : result?.entity;
    };
    expect(refusal([url("new"), email(a), email(b), email(c)], "person")).toEqual([
      ...["identifier_conflict", { entity_id: ben, parameter: "email", other_id: anna }],
      `email ${b} belongs to another entity.`,
    ]);
    expect(refusal([url("new"), email(a)], "company")).toEqual([
      ...["identifier_conflict", { entity_id: anna, parameter: "email" }, `email ${a} belongs to another entity.`],
    ]);
    expect(refusal([url("new"), email(a)], "person")).toMatchObject({
      ...{ id: anna, created: false, attached: [url("new")] },
    });
  });

  test("someone new is active, shown, and in the feed by whom they came", () => {
    const { decision, results, contacts } = decideIn(new Memory(), [
      { ...about(a, activity("call", undefined, { source: "gmail" })), source: "crm" },
      about(b, activity("call", undefined, { source: "gmail" }), activity("call", undefined, { source: "web" })),
      about(c),
      ofCompany("acme.com"),
    ]);
    const [anna, ben, cara, acme] = results.map((one) => good(one).entity);
    expect(anna).toStrictEqual({
      ...{ id: anna?.id, type: "person", status: "active", absorbed: [], createdAt: at },
      ...{ created: true, attached: [email(a)] },
    });
    expect(decision.feed).toEqual([
      { type: "company.created", entityId: acme?.id, source: "api" },
      { type: "person.created", entityId: anna?.id, source: "crm" },
      { type: "person.created", entityId: ben?.id, source: "gmail" },
      { type: "person.created", entityId: cara?.id, source: "api" },
    ]);
    const sources = decision.evidence.filter(({ property }) => property === "source");
    expect(sources.map(({ value, source }) => [value, source])).toEqual([
      ...[
        ["crm", "crm"],
        ["gmail", "gmail"],
      ],
      ...[
        ["api", "api"],
        ["api", "api"],
      ],
    ]);
    expect(contacts.map(({ isNew, isTold, shown: is, stage }) => [isNew, isTold, is, stage])).toEqual([
      ...[1, 2, 3].map(() => [true, true, true, "identified"]),
      [true, true, true, null],
    ]);
    expect(decision.identifiers).toStrictEqual([
      { ...email(a), entityId: anna?.id, lost: false },
      { ...email(b), entityId: ben?.id, lost: false },
      { ...email(c), entityId: cara?.id, lost: false },
      { kind: "domain", value: "acme.com", entityId: acme?.id, lost: false },
    ]);
    expect([decision.needs.entities.size, decision.needs.subjects.size, decision.needs.evidence.size]).toEqual([
      0, 0, 0,
    ]);
  });

  test("someone erased is created by who decided it, and not by what no one decided, whichever address was theirs", () => {
    const create = (how: boolean | "unless_erased") => {
      const named = [email(a), email(b)];
      const report: Report = { about: { named, type: "person", create: how }, said: [activity("call")] };
      const { decision, results } = decideIn(new Memory(), [report], () => ({
        erased: new Map([[`email ${b}`, true]]),
      }));
      return [isFault(results[0]), [...decision.needs.erased.keys()]];
    };
    expect(create(true)).toEqual([false, []]);
    expect(create("unless_erased")).toEqual([true, [`email ${a}`, `email ${b}`]]);
  });

  test("who was not looked up yet is asked for, and is new until that is known", () => {
    const { decision, contacts } = decideIn(new Memory(), [about(a)], () => ({ looked: new Map() }));
    expect([...decision.needs.references.values()]).toStrictEqual([referenceTo(email(a))]);
    expect(contacts.map(({ isNew }) => isNew)).toEqual([true]);
  });

  test("a person without a row is at the first stage, and a company at none", () => {
    const { memory } = known("anna@acme.com");
    const reports = [about("anna@acme.com", activity("call")), ofCompany("acme.com", activity("call"))];
    const { contacts } = decideIn(memory, reports, ({ looked }) => ({
      looked: new Map([...looked].map(([key, one]) => [key, { ...one, stage: null }])),
    }));
    expect(contacts.map(({ entity, stage }) => [entity.type, stage])).toEqual([
      ["person", "identified"],
      ["company", null],
    ]);
  });
});

describe("what changes besides evidence", () => {
  const stored = (id: string, named: readonly Named[]) => (world: World) => ({
    subjects: new Map([...world.subjects, [id, { ...world.subjects.get(id), identifiers: named } as never]]),
  });

  test("a status without a bulk action is no one's, and is shown", () => {
    const { memory, ids } = known(a);
    const [contact] = decideIn(memory, [{ about: { id: ids[0] as string }, said: [], status: "archived" }]).contacts;
    expect([contact?.entity.status, contact?.action, contact?.shown]).toEqual(["archived", null, true]);
  });

  test("an identifier that is preferred or got is shown", () => {
    const { memory, ids } = known(a);
    const change = (report: Omit<Report, "said" | "about">, gets: Named[] = []) => {
      const { contacts, decision } = decideIn(memory, [{ about: { id: ids[0] as string, gets }, said: [], ...report }]);
      const [contact] = contacts;
      return [contact?.prefers, contact?.gets, contact?.shown, [...decision.needs.subjects]];
    };
    expect(change({})).toEqual([null, [], false, []]);
    expect(change({ prefers: email(a) })).toEqual([email(a), [], true, ids]);
    expect(change({}, [url("x"), url("y")])).toEqual([null, [url("x"), url("y")], true, ids]);
  });

  test.each<[string, NonNullable<Report["loses"]>, Named[]]>([
    ["all of a kind", [{ kind: "email" }], [email(a), email(b)]],
    ["one", [{ kind: "email", value: b }], [email(b)]],
    ["of two kinds", [{ kind: "linkedin_url" }, { kind: "email", value: a }], [email(a), url("x")]],
    ["none that it has", [{ kind: "email", value: c }, { kind: "domain" }], []],
  ])("identifiers are lost: %s", (_, loses, lost) => {
    const { memory, ids } = known(a);
    const [anna = ""] = ids;
    const { contacts, decision } = decideIn(
      memory,
      [{ about: { id: anna }, said: [], loses }],
      stored(anna, [email(a), email(b), url("x")]),
    );
    expect(contacts[0]?.loses).toEqual(lost);
    expect([...decision.needs.names.values()]).toEqual(lost);
    expect([contacts[0]?.shown, [...decision.needs.subjects]]).toEqual([true, [anna]]);
  });

  test("what was got in this call is lost again, once, and another's stays", () => {
    const memory = new Memory();
    const lose = (value: string): Report => ({ ...about(b), loses: [{ kind: "email", value }] });
    const both: Report = { about: { named: [email(b), email(c), url("b")], type: "person", create: true }, said: [] };
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

  test("what was lost in this call is lost once, may be got again, and lost again", () => {
    const { memory, ids } = known(a);
    const [anna = ""] = ids;
    const lose = (value: string): Report => ({ about: { id: anna }, said: [], loses: [{ kind: "email", value }] });
    const loseAll: Report = { about: { id: anna }, said: [], loses: [{ kind: "email" }] };
    const get: Report = { about: { id: anna, gets: [email(a)] }, said: [] };
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

  test("what one had and lost in this call, and another got, is lost by the other", () => {
    const { memory, ids } = known(a, b);
    const [anna = "", ben = ""] = ids;
    const get = (id: string): Report => ({ about: { id, gets: [url("x")] }, said: [] });
    const lose = (id: string): Report => ({ about: { id }, said: [], loses: [{ kind: "linkedin_url" }] });
    const { decision } = decideIn(memory, [get(anna), lose(anna), get(ben), lose(ben)]);
    expect(decision.identifiers.map(({ entityId, lost }) => [entityId, lost])).toEqual([
      [anna, true],
      [ben, true],
    ]);
    // What anna lost before is ben's, whatever else she loses.
    const given: Report[] = [
      { about: { id: anna }, said: [], loses: [{ kind: "email", value: a }] },
      { about: { id: ben, gets: [email(a)] }, said: [] },
      { about: { id: anna }, said: [], loses: [{ kind: "email" }] },
    ];
    const { results } = decideIn(memory, [...given, about(a)], stored(anna, [email(a), email(c)]));
    expect(good(results.at(-1)).entity.id).toBe(ben);
  });

  test("a company that gets or loses an identifier holds the domain it is shown with", () => {
    const { memory } = known("anna@acme.com");
    const acme = memory.owners.get("domain acme.com") as string;
    const held = (report: Omit<Report, "about" | "said">, gets: Named[] = []) => {
      const { decision } = decideIn(memory, [{ about: { id: acme, gets }, said: [], ...report }], ({ looked }) => ({
        looked: new Map([...looked].map(([key, one]) => [key, one.id === acme ? { ...one, domain: "shown.io" } : one])),
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
      said: [state("note.1", "A"), activity("call")],
    };
    const { contacts, decision } = decideIn(memory, [report], () => ({
      looked: new Map([[workspaceId, { ...noOne, id: workspaceId, type: "workspace" }]]),
    }));
    expect([contacts[0]?.shown, [...decision.needs.subjects], decision.events]).toEqual([false, [], []]);
    expect(contacts[0]?.activityAt).toEqual(at);
  });

  test("an identifier of someone new is as old as they are", () => {
    const { decision, contacts } = decideIn(new Memory(), [about(a)]);
    expect(decision.namedAt(contacts[0] as Contact)).toEqual(at);
  });
});

describe("the employer of a person", () => {
  const employer = "0190a6e0-0000-7000-8000-000000000009";

  test("is looked up where it changes, and not where it is there, is new in this call or has ended", () => {
    const { memory, ids } = known(a);
    const [anna = ""] = ids;
    const asked = (drafts: Draft[], looked?: Looked, reports: Report[] = []) => {
      const { decision } = decideIn(memory, [...reports, about(a, ...drafts)], (world) => ({
        looked: new Map([
          ...[...world.looked].filter(([key]) => key !== employer),
          ...(looked ? [[employer, looked] as const] : []),
        ]),
        evidence: new Map([[anna, [{ ...evidenceOf("works_at", employer), entityId: anna } as EvidenceOf]]]),
      }));
      return [...decision.needs.references.keys()];
    };
    const evidenceOf = (property: string, value: unknown) => ({
      ...{ id: "e", kind: "state", property, value, source: "api", method: "observed", causedBy: null, seq: 1 },
      ...{ observedAt: new Date(0), recordedAt: new Date(0), externalId: null },
    });
    expect(asked([state("works_at", employer)])).toEqual([employer]);
    expect(asked([state("job_title", "CEO")])).toEqual([]);
    expect(asked([state("works_at", null)])).toEqual([]);
    expect(asked([state("works_at", [employer])])).toEqual([]);
    expect(asked([state("works_at", employer)], noOne)).toEqual([]);
    const { decision } = decideIn(memory, [
      {
        about: { id: anna },
        said: [],
        employer: { ...ofCompany("new.io"), terms: { source: "api", observedAt: null } },
      },
    ]);
    expect(decision.needs.references.size).toBe(0);
  });

  test("is nothing that a company has", () => {
    const { memory } = known("anna@acme.com");
    const { decision } = decideIn(memory, [ofCompany("acme.com", state("works_at", employer))], ({ looked }) => ({
      looked: new Map([...looked].filter(([key]) => key !== employer)),
    }));
    expect(decision.needs.references.size).toBe(0);
    const acme = memory.owners.get("domain acme.com") as string;
    const got = decideIn(memory, [{ about: { id: acme, gets: [email("info@globex.io")] }, said: [] }]);
    expect(got.decision.evidence).toEqual([]);
  });

  test("is named by an address alone, and is inferred", () => {
    const { decision } = decideIn(new Memory(), [
      { about: { named: [url("anna")], type: "person", create: true }, said: [] },
      about("ben@acme.com"),
      about("cara@globex.io"),
    ]);
    const acme = decision.identifiers.find(({ value }) => value === "acme.com")?.entityId;
    const globex = decision.identifiers.find(({ value }) => value === "globex.io")?.entityId;
    const learned = decision.evidence.map(({ property, value, method, kind, observedAt, source }) => [
      ...[property, value, method, kind, observedAt, source],
    ]);
    const origin = ["source", "api", "observed", "state", at, "api"];
    expect(learned).toEqual([
      ...[origin, origin, origin, origin],
      ...[["works_at", acme, "inferred", "state", at, "api"], origin],
      ["works_at", globex, "inferred", "state", at, "api"],
    ]);
    expect(decision.ofEmployers.map(({ entityId }) => entityId)).toEqual([acme, globex]);
  });

  test("of someone known whose address is new is caused by nothing", () => {
    const { memory, ids } = known(a);
    const { decision } = decideIn(memory, [
      {
        about: { id: ids[0] as string, gets: [email("anna@acme.com")] },
        said: [{ ...activity("call"), id: "own" }],
        introduces: [state("first_name", "Anna")],
      },
    ]);
    expect(decision.evidence.map(({ property, causedBy }) => [property, causedBy])).toEqual([
      ["source", null],
      ["works_at", null],
      ["interaction.call", null],
    ]);
  });

  test("that is said is the only one, on the terms on which it is said, before what else is", () => {
    const observedAt = new Date(7);
    const report: Report = {
      ...about("anna@acme.com", state("job_title", "CEO")),
      status: "archived",
      employer: { ...ofCompany("globex.io"), terms: { source: "csv", observedAt, externalId: "row 1" } },
    };
    const { decision, contacts } = decideIn(new Memory(), [report]);
    const globex = contacts.find(({ entity }) => entity.type === "company")?.entity.id;
    const anna = contacts.find(({ entity }) => entity.type === "person");
    expect(anna?.entity.status).toBe("archived");
    expect(decision.evidence.slice(1)).toMatchObject([
      { property: "source" },
      { property: "works_at", value: globex, method: "inferred", source: "csv", observedAt, externalId: "row 1" },
      { property: "job_title" },
    ]);
    const named = decideIn(new Memory(), [about(a, { ...activity("x"), property: "source" })]).decision;
    expect(named.evidence.map(({ property, kind }) => [property, kind])).toEqual([
      ["source", "state"],
      ["source", "event"],
    ]);
    const ended = decideIn(new Memory(), [about("anna@acme.com", state("works_at", null))]).decision;
    expect(ended.evidence.map(({ property, value }) => [property, value])).toEqual([
      ["source", "api"],
      ["works_at", null],
    ]);
  });
});

describe("the answer to a report", () => {
  test("names what was derived again: what was said and has had a value, and the stage where it moved", () => {
    const { memory } = known(a);
    const recomputed = (...drafts: Draft[]) => good(memory.record(about(a, ...drafts)).results[0]).recomputed;
    expect(recomputed(state("region", null), activity("call"))).toEqual([]);
    expect(recomputed(state("job_title", "CEO"), activity("call"), activity("meeting_held"))).toEqual([
      ...["job_title", "pipeline_stage"],
    ]);
    expect(recomputed({ ...activity("x"), property: "job_title" })).toEqual([]);
    expect(recomputed(state("job_title", null))).toEqual(["job_title"]);
    expect(good(memory.record(about("ben@acme.com", state("region", "EU"))).results[0]).recomputed).toEqual(["region"]);
  });

  test("that repeats says when it is given, about whom, and nothing else", () => {
    const { memory, ids } = known(a);
    const [anna] = ids;
    const report: Report = { about: { id: anna as string }, said: [activity("email_received", "1")] };
    const [first] = memory.record(report).results;
    const outcome = { ...good(first).outcomes[0], repeated: true };
    const { results, contacts } = decideIn(memory, [report]);
    expect(results[0]).toStrictEqual({
      entity: { ...contacts[0]?.entity, created: false, attached: [] },
      ...{ at, outcomes: [outcome], believed: [], recomputed: [] },
    });
    expect([good(first).at, contacts[0]?.isTold]).toEqual([at, false]);
  });

  test("to a state that repeats says what is believed of it, and needs its evidence", () => {
    const { memory } = known(a);
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

  test("to what was said before by its own terms is that, and nothing is learned", () => {
    const { memory } = known(a);
    memory.record(about(a, state("region", "EU")));
    const [stored] = memory.evidence.slice(-1);
    const { results, decision } = decideIn(memory, [about(a, state("region", "EU", { unlessSaid: true }))]);
    expect(good(results[0]).outcomes).toStrictEqual([
      { id: stored?.id, of: stored?.entityId, repeated: true, stages: null, introduces: false },
    ]);
    expect([decision.evidence, decision.needs.evidence.size]).toEqual([[], 1]);
  });

  test("to a new state says that nothing was repeated", () => {
    const { memory, ids } = known(a);
    const { results, decision, contacts } = decideIn(memory, [about(a, state("region", "EU"))]);
    expect(contacts[0]?.isTold).toBe(true);
    expect(good(results[0]).outcomes).toStrictEqual([
      { id: decision.evidence[0]?.id, of: ids[0], repeated: false, stages: null, introduces: false },
    ]);
  });

  test("compares with what was believed before all that it says of a property", () => {
    const { memory } = known(a);
    memory.record(about(a, state("region", "US")));
    const changed = (...values: string[]) =>
      good(decideIn(memory, [about(a, ...values.map((value) => state("region", value)))]).results[0]).believed.map(
        (one) => one.changed,
      );
    expect([changed("EU", "EU"), changed("EU", "US"), changed("US", "EU")]).toEqual([[true], [false], [true]]);
    const twice = about(a, state("size", 7), state("size", 7));
    expect(good(decideIn(memory, [twice]).results[0]).believed.map((one) => one.changed)).toEqual([true]);
  });

  test("says what a stage was set to, although what happened after it moved it on", () => {
    const { memory } = known(a);
    const { results } = decideIn(memory, [about(a, state("pipeline_stage", "aware"), activity("meeting_held"))]);
    expect(good(results[0]).believed).toEqual([{ property: "pipeline_stage", value: "aware", changed: true }]);
  });

  test.each<[string, Report, boolean[]]>([
    [
      "the first thing said with its introduction",
      { ...about(b, activity("call"), activity("call")), introduces: [] },
      [true, false],
    ],
    ["nothing without one", about(b, activity("call")), [false]],
    ["nothing of who is known", { ...about(a, activity("call")), introduces: [] }, [false]],
  ])("says that someone became known by %s", (_, report, introduces) => {
    const { memory } = known(a);
    const { results } = decideIn(memory, [report]);
    expect(good(results[0]).outcomes.map((one) => one.introduces)).toEqual(introduces);
  });

  test("who is introduced has the first thing said under the id that it has, or a new one, and the rest after it", () => {
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

  test.each<[Looked["stage"], Looked["stage"], Looked["stage"], object]>([
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
    const { memory } = known(a);
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

  test("may read as nothing, and is new where it was not looked up", () => {
    const { memory } = known(a);
    const { results } = decideIn(memory, [about(a, activity("call", "undefined"), activity("call"))]);
    expect(countNew(good(results[0]))).toBe(2);
    const unseen = decideIn(memory, [about(a, activity("call", "1"))], ({ looked }) => ({
      looked: new Map([...looked].filter(([key]) => !key.includes("\n"))),
    }));
    expect(countNew(good(unseen.results[0]))).toBe(1);
  });
});

describe("the events of a report", () => {
  test("are that someone is there, by the first that is known of them, and what happened", () => {
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
    ["by the one who set it", [state("job_title", "CEO"), staged, state("region", "EU")], { activity_id: null }],
    ["by what it was set for", [{ ...staged, causedBy: "meeting" }], { activity_id: "meeting" }],
    [
      "whatever happened under that name",
      [staged, { ...activity("x"), property: "pipeline_stage" }],
      { activity_id: null },
    ],
    ["not by a lower one", [state("pipeline_stage", "identified", { method: "asserted" })], null],
  ])("tell that a stage was set higher: %s", (_, drafts, data) => {
    const { memory, ids } = known(a);
    const { decision } = decideIn(memory, [about(a, ...drafts)]);
    const [set] = decision.evidence.filter(({ property, kind }) => property === "pipeline_stage" && kind === "state");
    const advanced = { type: "stage.advanced", entityId: ids[0], observationId: set?.id };
    const from = { from: "identified", to: "evaluating" };
    expect(decision.events).toStrictEqual(data === null ? [] : [{ ...advanced, data: { ...from, ...data } }]);
  });

  test("tell of an activity that moved a stage, which it is the cause of", () => {
    const { memory, ids } = known(a);
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

  test("are none for a correction, though it sets a stage", () => {
    const { memory } = known(a);
    expect(decideIn(memory, [{ ...about(a, staged), amends: true }]).decision.events).toEqual([]);
  });

  test("of a lead come in the order of what happened, with their moments", () => {
    const { memory, ids } = known(a);
    const reports = [
      about(a, activity("email_sent", undefined, { observedAt: new Date(5) }), activity("email_received")),
    ];
    const { decision } = decideIn(memory, reports, ({ looked }) => ({
      looked: new Map([...looked].map(([key, one]) => [key, { ...one, isLead: true }])),
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
  test("is what the workspace's own table says, and the event that an activity names", () => {
    const { memory } = known(a);
    const stageAfter = (draft: Draft, rules: World["rules"]) => {
      const { decision, contacts } = decideIn(memory, [about(a, draft)], () => ({ rules }));
      return [contacts[0]?.stage, decision.needs.rules];
    };
    expect(stageAfter(activity("call"), own)).toEqual(["client", false]);
    expect(stageAfter(activity("meeting_held"), own)).toEqual(["identified", false]);
    expect(stageAfter(activity("custom", undefined, { value: { event: "deal_won" } }), null)).toEqual(["client", true]);
  });

  test("is nothing that happens with a company, whatever it is told", () => {
    const { memory } = known("anna@acme.com");
    const report = ofCompany("acme.com", state("pipeline_stage", "aware"), activity("meeting_held"));
    const { decision, results, contacts } = decideIn(memory, [report], () => ({ rules: null }));
    expect(good(results[0]).outcomes.map(({ stages }) => stages)).toEqual([null, null]);
    expect(decision.evidence[1]).toMatchObject({ stageBefore: null, stageAfter: null });
    expect([contacts.map(({ stage }) => stage), decision.needs.rules]).toEqual([[null], false]);
    expect(decision.events.map(({ type }) => type)).toEqual(["activity.meeting_held"]);
  });

  test("is nothing where a stage is said again whose evidence is not read yet", () => {
    const { memory } = known(a);
    const set = state("pipeline_stage", "client", { externalId: "1", method: "asserted" });
    memory.record(about(a, set));
    const { results } = decideIn(memory, [about(a, set, activity("meeting_held"))], () => ({ evidence: new Map() }));
    expect(good(results[0]).outcomes[1]?.stages).toEqual({ before: "client", after: "client" });
  });

  test("is no state that has the name of an activity", () => {
    const { memory } = known(a);
    const { decision, contacts } = decideIn(memory, [about(a, state("interaction.meeting_held", "x"))]);
    expect([decision.events, contacts[0]?.touched]).toEqual([[], false]);
  });

  test("a value that follows from something else moves none", () => {
    const { memory } = known(a);
    const [contact] = decideIn(memory, [about(a, state("region", "EU", { causedBy: "call" }))]).contacts;
    expect([contact?.moved, contact?.touched, contact?.shown]).toEqual([false, false, true]);
  });
});

test("an event that is no activity happened too, and needs no evidence", () => {
  const { memory } = known(a);
  const happened = (observedAt: Date) => {
    const { contacts, decision } = decideIn(memory, [
      about(a, { ...activity("x"), property: "signed_up", observedAt }),
    ]);
    return [contacts[0]?.activityAt, decision.needs.evidence.size];
  };
  expect(happened(new Date(7))).toEqual([new Date(7), 0]);
  expect(happened(new Date(-7))).toEqual([new Date(-7), 0]);
});

test("only an employer's domain is held, not that of a company that another property names", () => {
  const { memory } = known("anna@acme.com", a);
  const acme = memory.owners.get("domain acme.com") as string;
  const { decision } = decideIn(memory, [about(a, state("partner", acme))], ({ looked }) => ({
    looked: new Map([...looked].map(([key, one]) => [key, one.id === acme ? { ...one, domain: "acme.com" } : one])),
  }));
  expect(decision.needs.names.size).toBe(0);
});

describe("what is looked up", () => {
  const id = "0190a6e0-0000-7000-8000-000000000009";
  const other = "0190a6e0-0000-7000-8000-000000000008";
  const under = (who: Named, source: string, externalId: string) => ({ who, source, externalId });
  test.each<[string, Report, ReturnType<typeof referencesOf>]>([
    ["who is named", { about: { id, gets: [email(a)] }, said: [] }, [referenceTo({ id }), referenceTo(email(a))]],
    ["no one", { about: { named: [], type: "person", create: true }, said: [activity("call", "1")] }, []],
    [
      "what was said under external ids, by the first name",
      {
        about: { named: [email(a), url("x"), url("y")], type: "person", create: true },
        said: [activity("call", "1"), activity("call"), activity("call", "2", { source: "gmail" })],
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
    const { memory, ids } = known(a);
    const [anna = ""] = ids;
    const { decision } = decideIn(memory, [about(a, state("region", "EU"))], ({ looked }) => ({
      looked: new Map([...looked].map(([key, one]) => [key, one.id === anna ? { ...one, absorbed: ["merged"] } : one])),
    }));
    expect([...decision.needs.evidence]).toEqual([
      [`${anna} merged region`, { id: anna, parts: [anna, "merged"], property: "region" }],
    ]);
  });
});

const addresses = ["anna@acme.com", "ben@acme.com", "cara@gmail.com", "dora@globex.io"];
const methods = ["asserted", "observed", "inferred"] as const;
const aState = fc
  .record({
    property: fc.constantFrom("job_title", "region", "pipeline_stage"),
    value: fc.constantFrom("aware", "client", null),
    source: fc.constantFrom("api", "clay"),
    method: fc.constantFrom(...methods),
    day: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ property, value, day, ...more }) =>
    state(property, value, {
      ...{ ...more, observedAt: new Date(Date.UTC(2026, 10, day)) },
      externalId: canonicalJson([property, value, more.method, day]),
    }),
  );
const anActivity = fc
  .record({
    type: fc.constantFrom("email_received", "website_visit", "meeting_held", "note"),
    id: fc.integer({ min: 1, max: 8 }),
  })
  .map(({ type, id }) => activity(type, `${type} ${id}`));
const aReport = fc
  .record({ address: fc.constantFrom(...addresses), drafts: fc.array(fc.oneof(aState, anActivity), { maxLength: 5 }) })
  .map(({ address, drafts }) => about(address, ...drafts));
const someReports = fc.array(aReport, { minLength: 1, maxLength: 8 });

/** What is shown of everyone, by address or domain, without ids. */
function shown(memory: Memory): string {
  const nameOfId = (id: unknown) => [...memory.owners].find(([, owner]) => owner === id)?.[0];
  return canonicalJson(
    [...memory.owners]
      .map(([name, id]) => {
        const claims = [...memory.claimsOf(id)].map(
          ([property, value]) => [property, nameOfId(value) ?? value] as [string, unknown],
        );
        return [name, claims.sort(([a], [b]) => (a < b ? -1 : 1))] as [string, unknown];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

describe("whatever is said", () => {
  test("in one call or one by one, what is believed and answered is the same", () => {
    fc.assert(
      fc.property(someReports, (reports) => {
        const [together, apart] = [new Memory(), new Memory()];
        const at_once = together.record(...reports).results.map((one) => good(one));
        const in_turn = reports.map((report) => good(apart.record(report).results[0]));
        expect(shown(together)).toBe(shown(apart));
        const answers = (told: Told[]) =>
          told.map(({ entity, outcomes, believed, recomputed }) => [
            ...[entity.created, believed, recomputed],
            outcomes.map(({ repeated, stages }) => [repeated, stages]),
          ]);
        expect(answers(at_once)).toEqual(answers(in_turn));
        const kinds = (memory: Memory) => memory.events.map(({ type, data }) => [type, (data as { to?: string })?.to]);
        expect(kinds(together)).toEqual(kinds(apart));
      }),
      { numRuns: 500 },
    );
  });

  test("twice changes nothing", () => {
    fc.assert(
      fc.property(someReports, (reports) => {
        const memory = new Memory();
        memory.record(...reports);
        const before = shown(memory);
        const { decision } = memory.record(...reports);
        expect(decision.evidence).toEqual([]);
        expect([decision.events, decision.feed, decision.identifiers]).toEqual([[], [], []]);
        expect(shown(memory)).toBe(before);
      }),
      { numRuns: 500 },
    );
  });

  test("the projections are what all evidence together says", () => {
    fc.assert(
      fc.property(fc.array(someReports, { maxLength: 4 }), (calls) => {
        const memory = new Memory();
        for (const reports of calls) {
          const { decision } = memory.record(...reports);
          const world = memory.world([]);
          for (const contact of decision.contacts.values()) {
            const { id } = contact.entity;
            const stored = shownAfter(contact, world.subjects.get(id) ?? null, decision.contacts, world.looked).known;
            const claims = memory.claimsOf(id);
            const again = { ...stored, claims, identifiers: memory.identifiersOf(id) };
            if (contact.entity.type === "company") expect(companyRow(stored)).toEqual(companyRow(again));
            else expect(personRow(stored, null)).toEqual(personRow(again, null));
            if (contact.stage !== null) expect(contact.stage).toBe(stageOf(claims.get("pipeline_stage")));
          }
        }
        for (const items of Map.groupBy(
          memory.evidence,
          ({ entityId, property }) => `${entityId} ${property}`,
        ).values()) {
          const [{ entityId, property, kind }] = items as [(typeof items)[number]];
          if (kind === "event") continue;
          const [claim] = claimsOf(entityId, property, items);
          expect(memory.claims.get(`${entityId} ${property}`)).toEqual(claim);
        }
      }),
      { numRuns: 200 },
    );
  });
});
