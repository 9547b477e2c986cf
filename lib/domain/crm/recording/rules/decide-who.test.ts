import { describe, expect, test } from "vitest";
import { isFault } from "#lib/core/errors.ts";
import type { EntityRow, Identifier } from "#lib/domain/records/entities/service.ts";
import type { Draft, EvidenceOf } from "#lib/domain/records/evidence/service.ts";
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
  statements,
  url,
} from "#lib/testing/recording.fixture.ts";
import type { Contact } from "./contact.ts";
import { shownAfter } from "./contact.ts";
import { Decision } from "./decide.ts";
import { type Lookup, type Report, referenceTo } from "./world.ts";

describe("who a report is about", () => {
  test("someone new has a source, and an employer by the domain of a business address", () => {
    const memory = new Memory();
    const { decision, results } = memory.record(about("anna@acme.com", state("job_title", "CEO")));
    const told = good(results[0]);
    const company = memory.owners.get("domain acme.com");
    expect(told.entity).toMatchObject({ type: "person", created: true });
    expect(statements(memory)).toEqual([
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

  test("a person is shown with their company: a new one, an existing one, or none", () => {
    const memory = new Memory();
    const employerAfter = (report: Report, rename?: string) => {
      const world = memory.world([report]);
      const acme = memory.owners.get("domain acme.com");
      const lookups = new Map(
        [...world.lookups].map(([key, one]) => [key, one.id === acme && rename ? { ...one, name: rename } : one]),
      );
      const decision = new Decision({ ...world, lookups });
      const { entity } = good(decision.take(report));
      const contact = decision.contacts.get(entity.id) as Contact;
      const before = world.subjects.get(entity.id) ?? null;
      const stored = before && { ...before, employer: { id: "stored", name: "Stored", domain: null } };
      return shownAfter(contact, stored, decision.contacts, lookups).employer;
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

  test("the first business address names the employer", () => {
    const memory = new Memory();
    const named = ["anna@gmail.com", "anna@acme.com", "anna@globex.io"].map(email);
    memory.record({ about: { named, type: "person", create: true }, drafts: [] });
    expect(memory.owners.get("domain globex.io")).toBeUndefined();
    const employers = memory.evidence.filter(({ property }) => property === "works_at").map(({ value }) => value);
    expect(employers).toEqual([memory.owners.get("domain acme.com")]);
  });

  test("what follows has the first draft as its cause, for the employer too", () => {
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
    // A draft that introduces nobody causes nothing, although it has an id.
    const ben = new Memory();
    ben.record(about("ben@gmail.com", { ...activity("call"), id: "own" }));
    expect(ben.evidence.map(({ property, causedBy }) => [property, causedBy])).toEqual([
      ["source", null],
      [call.property, null],
    ]);
    // For a known person nothing is added, and nothing has a cause.
    memory.record({ ...about("anna@acme.com", activity("email_sent")), introduces: [state("first_name", "Ann")] });
    expect(memory.evidence.slice(5).map(({ property, causedBy }) => [property, causedBy])).toEqual([
      ["interaction.email_sent", null],
    ]);
  });

  test("the employer's part is recorded first, and a conflict in it leaves the rest", () => {
    const memory = new Memory();
    const employer = (...domains: string[]): NonNullable<Report["employer"]> => ({
      about: { named: domains.map((value) => ({ kind: "domain", value })), type: "company", create: true },
      drafts: [state("industry", "Steel")],
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

  test("an address that nobody has yet is locked where others may take it; a report without any address is refused", () => {
    const memory = new Memory();
    const ask = (named: Identifier[], create: boolean, erased?: boolean) => {
      const report: Report = { about: { named, type: "person", create }, drafts: [activity("call")] };
      const world = memory.world([report]);
      const decision = new Decision(
        erased === undefined ? world : { ...world, onPurpose: false, erased: new Map([["email a@acme.com", erased]]) },
      );
      const result = decision.take(report);
      return [isFault(result) ? result.code : result.entity.created, [...decision.needs.names.keys()]];
    };
    const named = [email("a@acme.com")];
    expect(ask(named, false)).toEqual(["entity_not_found", []]);
    expect(ask(named, true, true)).toEqual(["person_erased", ["email a@acme.com"]]);
    expect(ask(named, true, false)).toEqual([true, ["email a@acme.com", "domain acme.com"]]);
    expect(ask([], true)).toEqual(["identifier_required", []]);
  });

  test("a new identifier is later than the existing ones, whatever the clock says", () => {
    const memory = new Memory();
    memory.record(about("anna@acme.com"));
    const anna = memory.owners.get("email anna@acme.com") as string;
    const report: Report = { about: { id: anna, gets: [email("anna@acme.io")] }, drafts: [] };
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

  test("a given source is recorded once, and not for a known person", () => {
    const memory = new Memory();
    memory.record(about("anna@gmail.com", state("source", "clay", { source: "clay" })));
    const anna = memory.owners.get("email anna@gmail.com") as string;
    memory.record({ about: { id: anna, gets: [email("anna@acme.com")] }, drafts: [] });
    const sources = memory.evidence.filter(({ property, entityId }) => property === "source" && entityId === anna);
    expect(sources.map(({ value }) => value)).toEqual(["clay"]);
  });

  test("an employer given by its id is looked up when it is missing, and only if it is an id", () => {
    const memory = new Memory();
    const id = "0190a6e0-0000-7000-8000-000000000009";
    const needed = (value: unknown) => {
      const report = about("anna@gmail.com", state("works_at", value));
      const world = memory.world([report]);
      const lookups = new Map([...world.lookups].filter(([key]) => key !== id));
      const decision = new Decision({ ...world, lookups });
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

  test("identifiers of two people are a conflict, and nothing is recorded", () => {
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

  test("a change of a company's name locks its domain, and so does showing a person with that name", () => {
    const memory = new Memory();
    memory.record(about("anna@acme.com"));
    const id = memory.owners.get("domain acme.com") as string;
    const labelled = (report: Report) => {
      const world = memory.world([report]);
      const lookups = new Map(
        [...world.lookups].map(([key, one]) => [key, one.id === id ? { ...one, domain: "acme.org" } : one]),
      );
      const decision = new Decision({ ...world, lookups });
      decision.take(report);
      return [...decision.needs.names.keys()];
    };
    expect(labelled({ about: { id }, drafts: [state("name", "Acme")] })).toEqual(["domain acme.org"]);
    expect(labelled({ about: { id }, drafts: [state("industry", "Steel")] })).toEqual([]);
    expect(labelled(about("cara@gmail.com", state("works_at", id)))).toContain("domain acme.org");
    expect(labelled(about("ben@acme.com"))).toContain("domain acme.org");
    // Also when it was not looked up by its id.
    const report = about("ben@acme.com");
    const world = memory.world([report]);
    const lookups = new Map(
      [...world.lookups].flatMap(([key, one]) =>
        key === id ? [] : [[key, one.id === id ? { ...one, domain: "acme.org" } : one] as const],
      ),
    );
    const decision = new Decision({ ...world, lookups });
    decision.take(report);
    expect([...decision.needs.names.keys()]).toContain("domain acme.org");
  });

  test("the next report may use an identifier that one took away", () => {
    const memory = new Memory();
    memory.record(about("anna@acme.com"));
    const anna = memory.owners.get("email anna@acme.com") as string;
    const { results } = memory.record(
      { about: { id: anna }, drafts: [], loses: [{ kind: "email" }] },
      about("anna@acme.com"),
      { about: { id: anna }, drafts: [], status: "archived" },
    );
    expect(good(results[1]).entity.created).toBe(true);
    expect(memory.owners.get("email anna@acme.com")).not.toBe(anna);
    expect(memory.entities.get(anna)?.status).toBe("archived");
  });

  test("an unknown id is refused", () => {
    const decision = new Decision(new Memory().world([]));
    expect(decision.take({ about: { id: "none" }, drafts: [] })).toMatchObject({ code: "entity_not_found" });
    expect(decision.evidence).toEqual([]);
  });

  describe("someone erased", () => {
    const [known, gone, fresh] = [email(a), email(b), email(c)];
    const call = [activity("call")];
    const person = (named: Identifier[], create = true): Report => ({
      about: { named, type: "person", create },
      drafts: call,
    });
    const has = (id: string, ...gets: Identifier[]): Report => ({ about: { id, gets }, drafts: call });
    const taken = (report: (id: string) => Report, onPurpose: boolean, isErased = true) => {
      const { memory, ids } = memoryOf(a);
      const erased = new Map(isErased ? [[`email ${b}`, true]] : []);
      return decideIn(memory, [report(ids[0] as string)], () => ({ onPurpose, erased }));
    };

    test.each<[string, (id: string) => Report]>([
      ["is not created", () => person([gone])],
      ["is not created under another address", () => person([fresh, gone])],
      ["is not added to someone who is known", () => person([known, gone])],
      ["is not added to a record that is named by its id", (id) => has(id, gone)],
      ["is no one where no one is to be created", () => person([gone], false)],
    ])("%s by a caller who chose no one, and nothing else of the report counts", (_, report) => {
      const { decision, results } = taken(report, false);
      expect(results).toMatchObject([{ code: "person_erased" }]);
      expect([decision.evidence, decision.events, decision.feed, decision.identifiers]).toEqual([[], [], [], []]);
      expect([...decision.contacts.values()].some(({ isReported }) => isReported)).toBe(false);
      expect(decision.needs.erased.has(`email ${b}`)).toBe(true);
    });

    test.each<[string, (id: string) => Report, boolean]>([
      ["is created", () => person([gone]), true],
      ["is added to someone who is known", () => person([known, gone]), false],
      ["is added to a record that is named by its id", (id) => has(id, gone), false],
    ])("%s by who names them on purpose, and by others when they were not erased", (_, report, created) => {
      for (const [onPurpose, isErased] of [
        [true, true],
        [false, false],
      ] as const) {
        const { decision, results } = taken(report, onPurpose, isErased);
        expect(good(results[0]).entity.created).toBe(created);
        expect(decision.identifiers.map(({ value }) => value)).toEqual([b]);
        expect([...decision.needs.erased.keys()]).toEqual(onPurpose ? [] : [`email ${b}`]);
      }
    });

    test("counts no more once someone has the address again, and never for companies", () => {
      const { memory } = memoryOf(b);
      const differs = () => ({
        onPurpose: false,
        erased: new Map([
          [`email ${b}`, true],
          ["domain acme.com", true],
        ]),
      });
      const { decision, results } = decideIn(memory, [person([gone]), ofCompany("acme.com")], differs);
      expect(results.map((result) => good(result).entity.created)).toEqual([false, true]);
      expect([...decision.needs.erased.keys()]).toEqual([]);
    });
  });

  test("a status names the bulk action that set it, unless it was so already", () => {
    const memory = new Memory();
    const [anna, ben] = memory
      .record(about("anna@acme.com"), about("ben@acme.com"))
      .results.map((one) => good(one).entity.id);
    memory.record({ about: { id: ben as string }, drafts: [], status: "archived" });
    const archive = (id: string | undefined): Report => ({
      ...{ about: { id: id as string }, drafts: [], status: "archived", action: "an action" },
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

describe("who a report is about", () => {
  test("by an id: it must exist and have an allowed type", () => {
    const { memory, ids } = memoryOf(a);
    const of = (id: string, only?: EntityRow["type"][]) => {
      const [result] = decideIn(memory, [{ about: { id, ...(only ? { only } : {}) }, drafts: [] }]).results;
      return isFault(result) ? [result.code, result.message] : result?.entity.id;
    };
    const [anna = ""] = ids;
    const none = ["entity_not_found", "No person or company in this workspace has that id."];
    expect([of(anna), of(anna, ["company", "person"])]).toEqual([anna, anna]);
    expect([of("none"), of(anna, ["company"])]).toEqual([none, none]);
  });

  test("by an id: it gets a free identifier, keeps its own, and is refused another's", () => {
    const { memory, ids } = memoryOf(a, b, c);
    const [anna = "", ben] = ids;
    const gets = (...named: Identifier[]) =>
      good(memory.record({ about: { id: anna, gets: named }, drafts: [] }).results[0]);
    expect(gets(email(a), url("anna"), url("anna2")).entity).toMatchObject({
      ...{ id: anna, created: false, attached: [url("anna"), url("anna2")] },
    });
    const [refused] = memory.record({
      about: { id: anna, gets: [email(a), url("x"), email(b), email(c)] },
      drafts: [],
    }).results;
    expect(isFault(refused) && [refused.code, refused.extras]).toEqual([
      "identifier_conflict",
      { entity_id: ben, parameter: "email" },
    ]);
    expect(memory.owners.has("linkedin_url https://www.linkedin.com/in/x")).toBe(false);
  });

  test("by identifiers: a conflict names the first other entity, or the one of another type", () => {
    const { memory, ids } = memoryOf(a, b, c);
    const [anna, ben] = ids;
    const refusal = (named: Identifier[], type: "person" | "company") => {
      const [result] = decideIn(memory, [{ about: { named, type, create: true }, drafts: [] }]).results;
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

  test("someone new is active, shown, and in the feed with their source", () => {
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
    expect(contacts.map(({ isNew, isReported, shown: is, stage }) => [isNew, isReported, is, stage])).toEqual([
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

  test("a person who was not looked up yet is asked for, and counts as new until then", () => {
    const { decision, contacts } = decideIn(new Memory(), [about(a)], () => ({ lookups: new Map() }));
    expect([...decision.needs.references.values()]).toStrictEqual([referenceTo(email(a))]);
    expect(contacts.map(({ isNew }) => isNew)).toEqual([true]);
  });

  test("a person without a row is at the first stage, and a company at none", () => {
    const { memory } = memoryOf("anna@acme.com");
    const reports = [about("anna@acme.com", activity("call")), ofCompany("acme.com", activity("call"))];
    const { contacts } = decideIn(memory, reports, ({ lookups }) => ({
      lookups: new Map([...lookups].map(([key, one]) => [key, { ...one, stage: null }])),
    }));
    expect(contacts.map(({ entity, stage }) => [entity.type, stage])).toEqual([
      ["person", "identified"],
      ["company", null],
    ]);
  });
});

describe("the employer of a person", () => {
  const employer = "0190a6e0-0000-7000-8000-000000000009";

  test("is looked up when it changes, but not when it is known, new in this call or ended", () => {
    const { memory, ids } = memoryOf(a);
    const [anna = ""] = ids;
    const asked = (drafts: Draft[], lookups?: Lookup, reports: Report[] = []) => {
      const { decision } = decideIn(memory, [...reports, about(a, ...drafts)], (world) => ({
        lookups: new Map([
          ...[...world.lookups].filter(([key]) => key !== employer),
          ...(lookups ? [[employer, lookups] as const] : []),
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
        drafts: [],
        employer: { ...ofCompany("new.io"), terms: { source: "api", observedAt: null } },
      },
    ]);
    expect(decision.needs.references.size).toBe(0);
  });

  test("does not exist for a company", () => {
    const { memory } = memoryOf("anna@acme.com");
    const { decision } = decideIn(memory, [ofCompany("acme.com", state("works_at", employer))], ({ lookups }) => ({
      lookups: new Map([...lookups].filter(([key]) => key !== employer)),
    }));
    expect(decision.needs.references.size).toBe(0);
    const acme = memory.owners.get("domain acme.com") as string;
    const got = decideIn(memory, [{ about: { id: acme, gets: [email("info@globex.io")] }, drafts: [] }]);
    expect(got.decision.evidence).toEqual([]);
  });

  test("comes from an address alone, and is inferred", () => {
    const { decision } = decideIn(new Memory(), [
      { about: { named: [url("anna")], type: "person", create: true }, drafts: [] },
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

  test("of a known person with a new address has no cause", () => {
    const { memory, ids } = memoryOf(a);
    const { decision } = decideIn(memory, [
      {
        about: { id: ids[0] as string, gets: [email("anna@acme.com")] },
        drafts: [{ ...activity("call"), id: "own" }],
        introduces: [state("first_name", "Anna")],
      },
    ]);
    expect(decision.evidence.map(({ property, causedBy }) => [property, causedBy])).toEqual([
      ["source", null],
      ["works_at", null],
      ["interaction.call", null],
    ]);
  });

  test("that is given is the only one, on its own terms, before everything else", () => {
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
