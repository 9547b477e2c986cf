import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFault } from "#lib/core/errors.ts";
import { canonicalJson } from "#lib/core/json.ts";
import { type EntityRow, identifierKey, type Named } from "#lib/domain/records/entities/service.ts";
import { claimsOf, type Draft, type NewClaim, type StoredEvidence } from "#lib/domain/records/evidence/service.ts";
import { type Contact, countNew, type Told } from "./contact.ts";
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
    expect([null, -1, 0, 5].map((ms) => timeWith(ms === null ? null : new Date(at.getTime() + ms)))).toEqual([
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
