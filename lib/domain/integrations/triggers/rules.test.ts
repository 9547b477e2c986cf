import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { HOUR_MS } from "#lib/text/time.ts";
import { availableEvents, bodySchema, eventNamed, sampleBody } from "./events.ts";
import type { Facts } from "./queries/events.ts";
import { dataOf } from "./rules/bodies.ts";
import { askedAs, type Happening, listFor, passes } from "./rules/matching.ts";
import { JITTER, PAUSES_MS, verdictOn } from "./rules/schedule.ts";
import { wrongWith } from "./rules/targets.ts";
import { eventAliases, eventLabel } from "./words.ts";

describe("events", () => {
  test.each(availableEvents)("the sample of %s fits its schema, and nothing of it is left out", (name) => {
    const sample = sampleBody(name);
    expect(bodySchema(name).parse(sample)).toEqual(sample);
    expect(Object.values(sample.data)).not.toContain(undefined);
    expect(JSON.stringify(sample).length).toBeLessThan(20_000);
  });

  test.each([
    [{ description: "Re: Security", summary: "x" }, "Re: Security"],
    [{ summary: "Asked for a quote" }, "Asked for a quote"],
    [{ subject: " ", title: "Demo", metadata: { a: 1 } }, "Demo"],
    ["Asked for a quote", "Asked for a quote"],
    [{ metadata: { a: 1 } }, null],
    [null, null],
  ])("the description of an activity is the timeline's: of %j", (value, description) => {
    const event = { seq: 1, type: "activity.call", entityId: "e", observationId: "o", data: {}, at: new Date() };
    expect(dataOf("w", event, { value, domain: "acme.com" } as Facts)).toMatchObject({
      domain: "acme.com",
      value: { description },
    });
  });

  test("a schema refuses what it does not describe", () => {
    const { data, ...rest } = sampleBody("stage.advanced");
    expect(bodySchema("stage.advanced").safeParse({ ...rest, data: { ...data, value: "gone" } }).success).toBe(false);
    expect(bodySchema("stage.advanced").safeParse({ ...rest, data: { ...data, more: 1 } }).success).toBe(false);
    expect(z.toJSONSchema(bodySchema("icp.changed"))).toMatchObject({ type: "object" });
  });

  test("each alias is another name of an event", () => {
    for (const [alias, name] of Object.entries(eventAliases)) expect(eventNamed(alias)).toBe(name);
    for (const name of availableEvents) expect(eventLabel(name), name).toMatch(/^[A-Z]/);
    expect(eventNamed("toString")).toBeUndefined();
  });
});

describe("what follows from an attempt", () => {
  const now = new Date("2026-06-03T14:00:00.000Z");
  const well = { failingSince: null, givenUp: 0 };
  const refused = { ok: false, status: 500, retryAfterMs: null };
  const waits = (tries: number, random: number, retryAfterMs: number | null = null) =>
    verdictOn({ ...refused, retryAfterMs }, tries, well, now, random).nextAt.getTime() - now.getTime();

  test.each([
    [1, "5 s", 5_000],
    [2, "5 m", 300_000],
    [3, "30 m", 1_800_000],
    [4, "2 h", 2 * HOUR_MS],
    [5, "5 h", 5 * HOUR_MS],
    [6, "10 h", 10 * HOUR_MS],
    [7, "14 h", 14 * HOUR_MS],
    [8, "20 h", 20 * HOUR_MS],
    [9, "24 h", 24 * HOUR_MS],
  ])("failure %i waits for %s, and up to a fifth longer", (failure, _words, pause) => {
    expect(waits(failure - 1, 0)).toBe(pause);
    expect(waits(failure - 1, 1)).toBeCloseTo(pause * 1.2, 0);
  });

  test("the tenth failure gives the delivery up, and the trigger goes on", () => {
    const verdict = verdictOn(refused, PAUSES_MS.length, well, now, 0);
    expect(verdict).toMatchObject({ status: "failed", stops: null, standing: { failingSince: now, givenUp: 1 } });
  });

  test("a failure after one that was given up stops the trigger; what is accepted clears it", () => {
    const since = { failingSince: now, givenUp: 1 };
    expect(verdictOn(refused, 0, since, now, 0)).toMatchObject({ status: "pending", tries: 0, stops: "failing" });
    expect(verdictOn({ ok: true, status: 204, retryAfterMs: null }, 3, since, now, 0)).toMatchObject({
      status: "delivered",
      standing: well,
    });
  });

  test("410 stops the trigger, and the delivery waits", () => {
    expect(verdictOn({ ...refused, status: 410 }, 4, well, now, 0)).toMatchObject({ status: "pending", stops: "gone" });
  });

  test.each([
    [60_000, 60_000],
    [1_000, 5_000],
    [48 * HOUR_MS, 24 * HOUR_MS],
  ])("a target that asks for %i ms waits for %i ms", (asked, waited) => expect(waits(0, 0, asked)).toBe(waited));

  test("the pause is never shorter than the schedule and never longer than a day and its jitter", () => {
    fc.assert(
      fc.property(fc.nat(8), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(10 ** 9), (tries, random, asked) => {
        const pause = PAUSES_MS[tries] as number;
        const wait = waits(tries, random, asked);
        return wait >= pause && wait <= Math.max(pause * (1 + JITTER), 24 * HOUR_MS) + 1;
      }),
    );
  });
});

describe("matching", () => {
  const at = new Date("2026-06-03T14:00:00.000Z");
  const rule = { events: ["interaction.email_received", "stage.advanced"], filters: {}, createdAt: at };
  test.each([
    ["activity.email_received", at, "interaction.email_received"],
    ["stage.advanced", at, "stage.advanced"],
    ["stage.advanced", new Date(at.getTime() - 1), null],
    ["note.saved", at, null],
  ])("%s at %s is asked for as %s", (type, time, name) => expect(askedAs(rule, { type, at: time })).toBe(name));

  const happening: Happening = {
    type: "stage.advanced",
    at,
    source: "cal_com",
    stage: "evaluating",
    lists: ["0190a6e0-0000-7000-8000-000000000042"],
    properties: new Map<string, unknown>([
      ["seniority", "VP"],
      ["plan", "growth"],
      ["tags", ["fintech", "eu"]],
      ["seats", 40],
    ]),
  };
  test.each([
    [{}, true],
    [{ stage: ["evaluating", "client"] }, true],
    [{ stage: ["client"] }, false],
    [{ source: ["cal_com"] }, true],
    [{ source: ["api"] }, false],
    [{ property: { seniority: "vp" } }, true],
    [{ property: { seniority: ["cxo", "vp"], seats: 40 } }, true],
    [{ property: { tags: "EU" } }, true],
    [{ property: { region: "dach" } }, false],
    [{ plan: ["growth"] }, true],
    [{ plan: ["free"] }, false],
    [{ list: ["0190a6e0-0000-7000-8000-000000000041"] }, false],
    [{ list: ["0190a6e0-0000-7000-8000-000000000041", "0190a6e0-0000-7000-8000-000000000042"] }, true],
    [{ stage: ["evaluating"], source: ["api"] }, false],
  ])("%j lets it pass: %s", (filters, expected) => expect(passes(filters, happening)).toBe(expected));
});

describe("targets", () => {
  test.each([
    ["https://hooks.example.com/x?y=1", true],
    ["http://hooks.example.com:8080", true],
    ["ftp://hooks.example.com", false],
    ["hooks.example.com", false],
    ["https://user:word@hooks.example.com", false],
    ["http://127.0.0.1/x", false],
    ["http://169.254.169.254/latest/meta-data", false],
    ["http://[::1]/", false],
    ["http://[::ffff:10.0.0.1]/", false],
    ["http://0x7f000001/", false],
    ["http://2130706433/", false],
    ["http://localhost:3000", false],
    ["http://db.internal/", false],
    ["http://intranet/", false],
    ["", false],
  ])("%s can be used: %s", (url, usable) => expect(wrongWith(url, { privateAllowed: false }) === null).toBe(usable));

  test("private ones can where the operator allows them", () => {
    expect(wrongWith("http://127.0.0.1:9/x", { privateAllowed: true })).toBeNull();
  });

  test.each([
    ["https://hooks.example.com/x", true],
    ["https://HOOKS.example.com:8443/x", true],
    ["https://a.n8n.cloud/x", true],
    ["https://a.b.n8n.cloud/x", true],
    ["https://n8n.cloud/x", false],
    ["https://evil-n8n.cloud/x", false],
    ["https://x.hooks.example.com/x", false],
    ["https://93.184.216.34/x", false],
  ])("of listed hosts %s is one: %s", (url, isOne) => {
    expect(wrongWith(url, { privateAllowed: false, hosts: ["hooks.example.com", "*.n8n.cloud"] }) === null).toBe(isOne);
    expect(wrongWith("file:///etc/passwd", { privateAllowed: true })).not.toBeNull();
  });
});

test.each([
  [{}, "person", null],
  [{ stage: ["aware"] }, "workspace", null],
  [{ people: {} }, "person", "people"],
  [{ people: {} }, "company", "none"],
  [{ companies: {} }, "person", "none"],
  [{ people: {}, companies: {} }, "company", "companies"],
  [{ people: {}, companies: {} }, "workspace", "none"],
])("with %j, an event about a %s is looked for in the list: %s", (filters, type, list) => {
  expect(listFor(filters, type)).toBe(list);
});
