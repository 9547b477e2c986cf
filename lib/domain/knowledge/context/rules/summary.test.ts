import { expect, test } from "vitest";
import { DAY_MS } from "#lib/text/time.ts";
import { knownByLine, type RecordSummary, summaryOf } from "./summary.ts";

const now = new Date("2026-11-21T12:00:00Z");
const anna: RecordSummary = {
  type: "person",
  name: "Anna Smith",
  company: "Acme",
  domain: null,
  peopleCount: 0,
  claims: [],
  last: null,
  next: null,
  now,
};
const claim = (property: string, value: unknown, conflicts = 0) => ({
  property,
  value,
  method: "observed" as const,
  source: "api",
  observationId: "",
  observationCount: 1,
  sourceCount: 1,
  lastObservedAt: now,
  conflicts: Array.from({ length: conflicts }, () => ({
    value: "other",
    source: "x",
    method: "observed" as const,
    observation_id: "",
    observed_at: "",
  })),
});

test.each<[string, Partial<RecordSummary>, string]>([
  ["a bare person", {}, "Anna Smith, of Acme, stage identified. No activity yet."],
  [
    "role, stage and activity",
    {
      claims: [claim("job_title", "CFO"), claim("pipeline_stage", "evaluating")],
      last: { type: "meeting_held", at: new Date("2026-11-10T09:00:00Z") },
      next: { type: "meeting_scheduled", at: new Date("2026-11-24T09:00:00Z") },
    },
    "Anna Smith, CFO at Acme, stage evaluating. Last activity: meeting held on 2026-11-10 (11 days ago). Next: meeting scheduled on 2026-11-24.",
  ],
  [
    "an employer whose country and size are known",
    { firm: { country: "Germany", employeeCount: 1200 }, claims: [claim("job_title", "CFO")] },
    "Anna Smith, CFO at Acme (Germany, 1,200 people), stage identified. No activity yet.",
  ],
  [
    "a conflict",
    { company: null, claims: [claim("job_title", "CFO", 1), claim("company", "Acme", 2)] },
    "Anna Smith, CFO at Acme, stage identified. No activity yet. Sources disagree about job title, company.",
  ],
  [
    "a company",
    {
      type: "company",
      name: "Acme",
      company: null,
      domain: "acme.com",
      peopleCount: 7,
      claims: [claim("industry", "Software")],
    },
    "Acme (acme.com), Software, 7 known people. No activity yet.",
  ],
  ["the workspace", { type: "workspace", name: "Ours", company: null }, "Ours is this workspace."],
])("%s", (_, known, expected) => {
  expect(summaryOf({ ...anna, ...known })).toBe(expected);
});

test.each([
  ["2026-11-21T00:00:00Z", "2026-11-21 (today, UTC)"],
  ["2026-11-20T23:59:00Z", "2026-11-20 (yesterday, UTC)"],
  ["2026-11-20T12:30:00Z", "2026-11-20 (yesterday, UTC)"],
  ["2026-11-19T23:59:00Z", "2026-11-19 (2 days ago)"],
])("what happened at %s is told by the calendar day", (at, expected) => {
  const last = { type: "website_visit", at: new Date(at) };
  expect(summaryOf({ ...anna, last })).toContain(`Last activity: website visit on ${expected}.`);
});

const known = (name: string | null, strength: number, daysAgo: number) => ({
  ...{ name, email: "ben@example.com", strength, lastAt: new Date(+now - daysAgo * DAY_MS) },
});

test("the line names three members, how well they know somebody, and since when", () => {
  const [ada, ben] = [known("Ada", 80, 3), known(null, 10, 0)];
  expect(knownByLine([], now)).toBeNull();
  expect(knownByLine([ada, ben], now)).toBe("Ada (strong, 3 days ago), ben@example.com (weak, today)");
  expect(knownByLine([ada, ada, ada, ben], now)).toMatch(/ and 1 more$/);
});
