import fc from "fast-check";
import { expect, test } from "vitest";
import type { Evidence } from "#lib/domain/records/evidence/service.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { confidenceOver } from "./confidence.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const day = (days: number) => new Date(START + days * DAY_MS);

const said = (on: number, value: unknown, more: Partial<Evidence> = {}): Evidence => ({
  id: `${on} ${String(value)}`,
  kind: "state",
  property: "job_title",
  value,
  source: "crm",
  method: "observed",
  observedAt: day(on),
  recordedAt: day(on),
  causedBy: null,
  ...more,
});

test("without evidence there is nothing to tell", () => {
  expect(confidenceOver([], day(0))).toEqual([]);
  expect(confidenceOver([said(5, "VP")], day(0))).toEqual([]);
});

test("it begins with the first evidence, falls with age, rises when it is said again, and is 0 once it ended", () => {
  const points = confidenceOver(
    [said(0, "VP"), said(100, "VP", { source: "call", method: "asserted" }), said(150, null, { method: "asserted" })],
    day(200),
  );
  const on = (days: number) => points.find(({ at }) => at.getTime() === day(days).getTime())?.confidence ?? -1;
  expect(points[0]).toMatchObject({ at: day(0) });
  expect(points.at(-1)).toMatchObject({ at: day(200), confidence: 0 });
  expect(on(95)).toBeLessThan(on(0));
  expect(on(100)).toBeGreaterThan(on(95));
  expect(on(150)).toBe(0);
});

test("whatever the evidence, points are in order, within 0 to 1, and few", () => {
  const states = fc.array(
    fc.record({ on: fc.integer({ min: -400, max: 50 }), value: fc.constantFrom("VP", "CEO", null) }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(states, (some) => {
      const points = confidenceOver(
        some.map(({ on, value }, index) => said(on, value, { id: `${index}` })),
        day(0),
      );
      expect(points.length).toBeLessThanOrEqual(81);
      for (const [index, { at, confidence }] of points.entries()) {
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
        expect(at.getTime()).toBeGreaterThan(points[index - 1]?.at.getTime() ?? Number.NEGATIVE_INFINITY);
      }
      expect(points.at(-1)?.at ?? day(0)).toEqual(day(0));
    }),
    { numRuns: 200 },
  );
});
