import { describe, expect, test } from "vitest";
import type { Account } from "./calls.ts";
import { factsInShort, keyFacts, lastAndNext } from "./key-facts.ts";

type Claim = Account["claims"][string];
const claim = (property: string, more: Partial<Claim> = {}): [string, Claim] => [
  property,
  {
    property,
    value: "x",
    confidence: 0.9,
    freshness: "fresh",
    epistemic_class: "asserted",
    source: "manual",
    observation_count: 1,
    last_observed_at: "2026-06-03T09:00:00.000Z",
    ...more,
  },
];
const claims = (...all: [string, Claim][]) => Object.fromEntries(all);
const conflicts = [{}] as unknown as NonNullable<Claim["conflicts"]>;

describe("the key facts", () => {
  test("begin with what is in dispute, and have no names, ids or what the head shows", () => {
    const known = claims(
      claim("first_name"),
      claim("crm_contact_id"),
      claim("pipeline_stage"),
      claim("budget_eur"),
      claim("works_at"),
      claim("company"),
      claim("job_title"),
      claim("region", { conflicts }),
    );
    expect(keyFacts(known)).toEqual(["region", "job_title", "works_at", "budget_eur"]);
  });
});

test.each<[string, [string, Claim][]]>([
  ["No facts yet.", []],
  ["1 fact, none older than 90 days.", [claim("region")]],
  [
    "1 of 2 facts is older than 90 days: region.",
    [claim("region", { freshness: "suspect" }), claim("job_title", { freshness: "aging" })],
  ],
  ["Sources disagree about title and region.", [claim("region", { conflicts }), claim("job_title", { conflicts })]],
  [
    "Sources disagree about title, e-mail and 1 more.",
    [claim("region", { conflicts }), claim("email", { conflicts }), claim("job_title", { conflicts })],
  ],
])("the facts in short: %s", (words, all) => {
  expect(factsInShort(claims(...all)).words).toBe(words);
});

test("the last activity is before now, the next one is the nearest after it, and a note is none", () => {
  const event = (observed_at: string, property = "interaction.call") => ({ observed_at, property });
  const events = [event("2026-06-09"), event("2026-06-06"), event("2026-06-05", "note.saved"), event("2026-06-01")];
  expect(lastAndNext(events, "2026-06-05T12")).toEqual({ last: events[3], next: events[1] });
});
