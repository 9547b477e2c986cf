import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "#lib/core/json.ts";
import { claimsOf } from "#lib/domain/records/evidence/service.ts";
import { about, activity, good, Memory, state } from "#lib/testing/recording.fixture.ts";
import type { ReportResult } from "./contact.ts";
import { shownAfter } from "./contact.ts";
import { companyRow, personRow } from "./rows.ts";
import { stageOf } from "./stages.ts";

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

/** What is shown of all contacts, by address or domain, without ids. */
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

describe("any reports", () => {
  test("in one call or one by one gives the same beliefs and answers", () => {
    fc.assert(
      fc.property(someReports, (reports) => {
        const [together, apart] = [new Memory(), new Memory()];
        const at_once = together.record(...reports).results.map((one) => good(one));
        const in_turn = reports.map((report) => good(apart.record(report).results[0]));
        expect(shown(together)).toBe(shown(apart));
        const answers = (told: ReportResult[]) =>
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

  test("gives the projections that all evidence together gives", () => {
    fc.assert(
      fc.property(fc.array(someReports, { maxLength: 4 }), (calls) => {
        const memory = new Memory();
        for (const reports of calls) {
          const { decision } = memory.record(...reports);
          const world = memory.world([]);
          for (const contact of decision.contacts.values()) {
            const { id } = contact.entity;
            const stored = shownAfter(
              contact,
              world.subjects.get(id) ?? null,
              decision.contacts,
              world.lookups,
            ).ingredients;
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
