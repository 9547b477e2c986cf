import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CalComStandIn } from "#lib/testing/cal-com.fixture.ts";
import { ProviderFault } from "../request.ts";
import {
  type BookingsFilter,
  type CalComPortal,
  getMe,
  listBookings,
  subscribe,
  TRIGGERS,
  unsubscribe,
} from "./client.ts";

const standIn = new CalComStandIn();
beforeAll(() => standIn.start());
afterAll(() => standIn.stop());
afterEach(() => {
  standIn.calm();
  standIn.webhooks.length = 0;
  standIn.bookings.length = 0;
  Object.assign(standIn, { paging: "cursor", pageSize: 100, loose: false, httpsOnly: false });
});

const portal = (apiKey = standIn.account()): CalComPortal => ({ base: standIn.url, configured: true, apiKey });
const url = "https://rapport.example/inbound/cal_com/w1";
const wanted = { url, secret: "a".repeat(64) };

async function faultOf(work: Promise<unknown>): Promise<ProviderFault> {
  const error = await work.then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(ProviderFault);
  return error as ProviderFault;
}

describe("a webhook", () => {
  test("is registered for the three triggers with our secret", async () => {
    const id = await subscribe(portal(), wanted, null);
    expect(standIn.webhooks).toEqual([
      expect.objectContaining({
        id,
        subscriberUrl: url,
        triggers: [...TRIGGERS],
        active: true,
        secret: wanted.secret,
        payloadTemplate: null,
      }),
    ]);
    for (const { headers } of standIn.received) expect(headers["cal-api-version"]).toBeUndefined();
  });

  test("that exists for our address is taken over, with the new secret", async () => {
    const mine = portal();
    const before = await subscribe(mine, { url, secret: "old" }, null);
    for (let other = 0; other < 300; other++)
      standIn.webhooks.unshift({
        ...(standIn.webhooks[0] as (typeof standIn.webhooks)[0]),
        id: `other${other}`,
        subscriberUrl: `https://elsewhere.example/${other}`,
      });
    expect(await subscribe(mine, wanted, null)).toBe(before);
    expect(standIn.webhooks.filter(({ subscriberUrl }) => subscriberUrl === url)).toEqual([
      expect.objectContaining({ id: before, secret: wanted.secret }),
    ]);
  });

  test("we know is updated; one that is gone or someone else's is replaced by a new one", async () => {
    const mine = portal();
    const first = await subscribe(mine, wanted, null);
    expect(await subscribe(mine, { ...wanted, secret: "new" }, first)).toBe(first);
    expect(standIn.webhooks).toEqual([expect.objectContaining({ secret: "new" })]);
    expect(await subscribe(mine, wanted, "gone")).toBe(first);
    const theirs = await subscribe(portal(), wanted, first);
    expect(theirs).not.toBe(first);
    expect(standIn.webhooks).toHaveLength(2);
  });

  test("requested from two places at once is only one", async () => {
    const mine = portal();
    const ids = await Promise.all([subscribe(mine, wanted, null), subscribe(mine, wanted, null)]);
    expect(new Set(ids).size).toBe(1);
    expect(standIn.webhooks).toHaveLength(1);
  });

  test("is deleted, also when it is gone already", async () => {
    const mine = portal();
    const id = await subscribe(mine, wanted, null);
    await unsubscribe(mine, id);
    await unsubscribe(mine, id);
    expect(standIn.webhooks).toEqual([]);
  });

  test("that the provider refuses fails with its reason", async () => {
    standIn.httpsOnly = true;
    const fault = await faultOf(subscribe(portal(), { ...wanted, url: "http://localhost/x" }, null));
    expect(fault).toMatchObject({
      trouble: "rejected",
      reason: "subscriberUrl must be a public https URL",
      isRetryable: false,
    });
  });
});

describe("a failed call", () => {
  test.each<[string, Parameters<CalComStandIn["trouble"]>[0], Partial<ProviderFault>]>([
    ["a revoked key", { status: 401 }, { trouble: "refused", isRetryable: false }],
    [
      "a limit",
      { status: 429, headers: { "retry-after": "30" } },
      { trouble: "rate_limited", retryAfterMs: 30_000, isRetryable: true },
    ],
    ["a limit without a time", { status: 429 }, { trouble: "rate_limited", retryAfterMs: null }],
    ["a limit with nonsense for a time", { status: 429, headers: { "retry-after": "soon" } }, { retryAfterMs: null }],
    ["a fault", { status: 500 }, { trouble: "broken", isRetryable: true }],
    ["a proxy's page", { status: 502, text: "<html>Bad gateway</html>" }, { trouble: "broken", reason: null }],
    ["a proxy that waited", { status: 524, text: "<html>" }, { trouble: "slow", isRetryable: true }],
    ["a page instead of JSON", { status: 200, text: "<html>" }, { trouble: "unreadable", isRetryable: true }],
    ["JSON of another form", { status: 200, body: { data: null } }, { trouble: "unreadable" }],
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" } }, { trouble: "unreadable" }],
    ["a broken connection", { drops: true }, { trouble: "unreachable", status: null, isRetryable: true }],
  ])("tells %s", async (_what, trouble, expected) => {
    standIn.trouble(trouble);
    expect(await faultOf(getMe(portal()))).toMatchObject(expected);
    expect(standIn.received).toHaveLength(1);
  });

  test("gives the date of the next try", async () => {
    standIn.trouble({ status: 429, headers: { "retry-after": new Date(Date.now() + 60_000).toUTCString() } });
    const { retryAfterMs } = await faultOf(getMe(portal()));
    expect(retryAfterMs).toBeGreaterThan(55_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  test("never shows the key", async () => {
    const mine = portal("cal_live_very_secret");
    standIn.trouble({ status: 500 });
    const { message, stack } = await faultOf(getMe(mine));
    expect(`${message}${stack}`).not.toContain("very_secret");
  });

  test("to a private address is not made unless the operator chose the address", async () => {
    const fault = await faultOf(getMe({ ...portal(), configured: false }));
    expect(fault).toMatchObject({ trouble: "unreachable" });
    expect(standIn.received).toEqual([]);
  });

  test("to an address without a server is reported as such", async () => {
    expect(await faultOf(getMe({ base: "http://127.0.0.1:1/v2", configured: true, apiKey: "x" }))).toMatchObject({
      trouble: "unreachable",
    });
  });
});

describe("bookings", () => {
  const fill = (count: number) => {
    for (let index = 0; index < count; index++)
      standIn.bookings.push({
        uid: `u${index}`,
        status: "accepted",
        start: "2026-12-01T10:00:00.000Z",
        updatedAt: new Date(Date.UTC(2026, 10, 1, 0, index)).toISOString(),
        attendees: [{ email: index % 2 ? "anna@acme.example" : "ben@acme.example" }],
      });
  };
  const all = async (filter: BookingsFilter, mine = portal()) => {
    const uids: string[] = [];
    for await (const { bookings } of listBookings(mine, filter)) uids.push(...bookings.map(({ uid }) => uid));
    return uids;
  };

  test.each(["cursor", "offset"] as const)("are read to the end in pages by %s", async (paging) => {
    standIn.paging = paging;
    standIn.pageSize = 7;
    fill(30);
    expect(await all({})).toEqual(standIn.bookings.map(({ uid }) => uid));
    expect(standIn.received).toHaveLength(5);
    for (const { headers, query } of standIn.received) {
      expect(headers["cal-api-version"]).toBe("2026-05-01");
      expect(query.limit).toBe("100");
    }
  });

  test("are requested by attendee, and by changes since a time, the oldest change first", async () => {
    fill(4);
    expect(await all({ attendeeEmail: "anna@acme.example" })).toEqual(["u1", "u3"]);
    standIn.bookings.reverse();
    expect(await all({ afterUpdatedAt: new Date(Date.UTC(2026, 10, 1, 0, 1)) })).toEqual(["u2", "u3"]);
  });

  test("end when a cursor comes again, and when an empty page promises more", async () => {
    const page = (nextCursor: string, data = [{ uid: "u", start: "2026-12-01T10:00:00Z" }] as unknown[]) => ({
      status: 200,
      path: "/bookings",
      body: { status: "success", data, pagination: { nextCursor, hasMore: true } },
    });
    for (const cursor of ["a", "b", "a"]) standIn.trouble(page(cursor));
    expect(await all({})).toEqual(["u", "u", "u"]);
    standIn.calm();
    standIn.trouble(page("a", []));
    expect(await all({})).toEqual([]);
  });

  test("that cannot be read are counted and skipped", async () => {
    const items = [
      null,
      7,
      {},
      { uid: "", start: "2026-12-01T10:00:00Z" },
      { uid: "x", start: "soon" },
      { uid: "y", start: "2026-12-01T10:00:00Z", attendees: null, hosts: null, status: null },
    ];
    standIn.trouble({ status: 200, body: { status: "success", data: items } });
    for await (const { bookings, unreadable } of listBookings(portal(), {})) {
      expect(bookings.map(({ uid }) => uid)).toEqual(["y"]);
      expect(unreadable).toBe(5);
    }
  });
});
