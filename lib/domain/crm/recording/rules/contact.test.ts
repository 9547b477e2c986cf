import { describe, expect, test } from "vitest";
import type { EntityRow, Identifier } from "#lib/domain/records/entities/service.ts";
import { beginContact, type Contact, shownAfter, shownAsStored } from "./contact.ts";
import type { Lookup, Subject, World } from "./world.ts";

const at = new Date("2026-11-21T12:00:00Z");
const acmeId = "0190a6e0-0000-7000-8000-00000000000a";
const world: World = {
  ...{ at, workspaceId: "workspace", source: "api", newId: () => "observation", rules: null },
  ...{
    lookups: new Map(),
    evidence: new Map(),
    weighed: new Set(),
    subjects: new Map(),
    erased: new Map(),
    onPurpose: true,
    peoplesWord: null,
  },
};
const entity = (id: string, type: EntityRow["type"]): EntityRow => ({
  ...{ id, type, status: "active", absorbed: [], createdAt: at },
});
const email = (value: string): Identifier => ({ kind: "email", value });
const [a, b, c, d] = ["a@x.io", "b@x.io", "c@x.io", "d@x.io"].map(email) as [
  Identifier,
  Identifier,
  Identifier,
  Identifier,
];
const stored: Subject = {
  ...{ id: "anna", status: "active", name: null, domain: null, formerId: "former", namedAt: at, noted: null },
  identifiers: [a, b],
  claims: [["job_title", "CEO"]],
  employer: { id: "former", name: "Former", domain: null },
};
const contactOf = (one: EntityRow, isNew: boolean, ...said: [property: string, value: unknown][]): Contact => {
  const contact = beginContact(world, one, isNew, null);
  for (const [property, value] of said)
    contact.weighing.learn({ kind: "state", property, value, source: "api", method: "observed", observedAt: null });
  return contact;
};
const shownOf = (contact: Contact, before: Subject | null) => shownAfter(contact, before, new Map(), new Map());

test("a record as it is stored is made of what is stored, as of no time where none is known", () => {
  const anna = entity("anna", "person");
  const shown = {
    ...{ type: "person", isNew: false, before: stored, employer: stored.employer },
    ingredients: { ...anna, identifiers: [a, b], claims: new Map([["job_title", "CEO"]]) },
  };
  expect(shownAsStored(anna, stored)).toStrictEqual({ ...shown, activityAt: null, learnedAt: null });
  const latest = { activityAt: at, learnedAt: new Date(0) };
  expect(shownAsStored(anna, stored, latest)).toStrictEqual({ ...shown, ...latest });
});

describe("a record after a decision", () => {
  test("is what it was before, with what was learned: a value that ended is gone, events and facts are no values", () => {
    const anna = entity("anna", "person");
    const contact = contactOf(anna, false, ["phone", "+49"], ["region", "EU"], ["region", null], ["note.1", "A"]);
    const activityAt = new Date(1);
    const before: Subject = {
      ...stored,
      claims: [
        ["job_title", "CEO"],
        ["region", "US"],
      ],
    };
    const claims = new Map([
      ["job_title", "CEO"],
      ["phone", "+49"],
    ]);
    expect(shownOf({ ...contact, activityAt }, before)).toStrictEqual({
      ...{ type: "person", isNew: false, before, activityAt, learnedAt: null, employer: stored.employer },
      ingredients: { ...anna, identifiers: [a, b], claims },
    });
  });

  test("is nothing before what it says, where it is new", () => {
    const anna = entity("anna", "person");
    expect(shownOf(contactOf(anna, true), null)).toStrictEqual({
      ...{ type: "person", isNew: true, before: null, activityAt: null, learnedAt: null, employer: null },
      ingredients: { ...anna, identifiers: [], claims: new Map() },
    });
  });

  test.each<[string, Partial<Contact>, Identifier[]]>([
    ["stay in their order", {}, [a, b]],
    ["that are new come first, the latest of them before the others", { gets: [c, d] }, [d, c, a, b]],
    ["that it loses are gone", { gets: [c], loses: [a] }, [c, b]],
    ["that it prefers come before all, once", { gets: [c], prefers: b }, [b, c, a]],
  ])("identifiers %s", (_, changes, identifiers) => {
    const contact = { ...contactOf(entity("anna", "person"), false), ...changes };
    expect(shownOf(contact, stored).ingredients.identifiers).toEqual(identifiers);
  });

  const lookups: Lookup = {
    ...{ now: at, id: acmeId, type: "company", status: "active", absorbed: [], createdAt: at, isLead: false },
    ...{ stage: null, name: "Acme", domain: "acme.com", recorded: null },
  };
  const acme = { id: acmeId, name: "Acme", domain: "acme.com" };
  test.each<[string, unknown, Lookup[], object | null]>([
    ["is the company that was looked up", acmeId, [lookups], acme],
    ["is what that was merged into", "0190a6e0-0000-7000-8000-00000000000b", [lookups], acme],
    ["is none where there is none", acmeId, [], null],
    ["is none where nothing has that id", acmeId, [{ ...lookups, id: null }], null],
    ["is none where that is a person", acmeId, [{ ...lookups, type: "person" }], null],
    ["is none where it is a name, although companies are looked up by those", "domain acme.com", [lookups], null],
    ["is none where it is no text", [acmeId], [lookups], null],
    ["is none after its end", null, [lookups], null],
  ])("the employer %s", (_, value, found, employer) => {
    const contact = contactOf(entity("anna", "person"), false, ["works_at", value]);
    const keys = ["domain acme.com", "0190a6e0-0000-7000-8000-00000000000b", acmeId];
    const byKey = new Map(found.flatMap((one) => keys.map((key) => [key, one] as const)));
    expect(shownAfter(contact, stored, new Map(), byKey).employer).toStrictEqual(employer);
  });

  test.each<[string, EntityRow["type"], object | null]>([
    ["a company of the same decision, as it was before it", "company", { id: acmeId, name: "Old", domain: null }],
    ["no person of it", "person", null],
  ])("the employer is %s", (_, type, employer) => {
    const contact = contactOf(entity("anna", "person"), false, ["works_at", acmeId]);
    const other = { ...contactOf(entity(acmeId, type), false), label: { name: "Old", domain: null } };
    expect(shownAfter(contact, stored, new Map([[acmeId, other]]), new Map()).employer).toStrictEqual(employer);
  });
});
