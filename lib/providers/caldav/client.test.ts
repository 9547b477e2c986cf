import { inspect } from "node:util";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { CALENDAR_LOGIN, type Leaves, useCalDavServer } from "#lib/testing/caldav.fixture.ts";
import { CalendarFault, type CalendarState, openCalendarClient } from "./client.ts";
import { readFeed } from "./feed.ts";

const server = useCalDavServer();
const bootWith = (settings: Record<string, string>) =>
  setBoot({
    env: readEnv(settings as NodeJS.ProcessEnv),
    databaseUrl: "",
    secrets: { sessionSecret: "", encryptionKeys: [] },
  });
beforeAll(() => bootWith({ PRIVATE_MAIL_SERVERS: "127.0.0.1" }));
beforeEach(() => server.calm());

const window = { from: new Date("2026-03-01T00:00:00Z"), to: new Date("2026-08-01T00:00:00Z") };
const event = (uid: string, title = "Demo", start = "20260601T100000Z") =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:${start}\r\nSUMMARY:${title} & <more>\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const open = (address = server.url) => openCalendarClient(address, CALENDAR_LOGIN);
const reasonOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CalendarFault);
  return (error as CalendarFault).reason;
};

describe("calendars", () => {
  beforeEach(() => {
    server.add("work", "Work & more");
    server.add("tasks", "Tasks", ["VTODO"]);
    server.add("old", "Says nothing", null);
  });

  test.each<[string, (url: string) => string, Leaves]>([
    ["the server, by its well-known address", (url) => url, {}],
    ["the server, which has no well-known address", (url) => `${url}/`, { noWellKnown: true }],
    ["a person", (url) => `${url}/anna/`, {}],
  ])("are found by the address of %s", async (_, address, leaves) => {
    server.leaves = leaves;
    expect(await open(address(server.url)).calendars()).toEqual([
      { url: `${server.url}/anna/work/`, name: "Work & more" },
      { url: `${server.url}/anna/old/`, name: "Says nothing" },
    ]);
  });

  test("are one when the address is that of a calendar", async () => {
    expect(await open(`${server.url}/anna/work/`).calendars()).toEqual([
      { url: `${server.url}/anna/work/`, name: "Work & more" },
    ]);
  });

  test("are none at an address that knows none", async () => {
    server.leaves = { noWellKnown: true };
    expect(await reasonOf(open(`${server.url}/nothing/`).calendars())).toBe("not_found");
    expect(await reasonOf(open(`${server.url}/nothing/`).read(`${server.url}/anna/none/`, window))).toBe("not_found");
  });
});

describe.each<[string, Leaves]>([
  ["tokens", {}],
  ["tokens, in parts", { cutsAt: 1 }],
  ["tags and etags only", { noSync: true }],
  ["etags only", { noSync: true, noCtag: true }],
  ["the collection among its objects", { namesItself: true }],
  ["the collection among its objects, without tokens", { namesItself: true, noSync: true }],
])("a calendar at a server with %s", (_, leaves) => {
  const hrefs = (objects: { href: string }[]) => objects.map(({ href }) => href.replace("/anna/work/", "")).toSorted();

  test("is read for a time, and then changes as a whole: nothing twice, nothing left out", async () => {
    const url = server.add("work", "Work");
    server.leaves = leaves;
    server.put("work", "a.ics", event("a"));
    server.put("work", "b.ics", event("b"));
    server.put("work", "no-suffix", event("c"));
    server.put("work", "past.ics", event("past", "Past", "20200601T100000Z"));
    server.put("work", "future.ics", event("future", "Future", "20270601T100000Z"));
    const client = open();
    const first = await client.read(url, window);
    expect(hrefs(first.objects)).toEqual(["a.ics", "b.ics", "no-suffix"]);
    expect(
      first.objects
        .find(({ href }) => href.endsWith("a.ics"))
        ?.ics.replaceAll("\r\n", "\n")
        .trim(),
    ).toBe(event("a").replaceAll("\r\n", "\n").trim());
    const still = await client.changes(url, first.state);
    expect(still).toMatchObject({ changed: [], removed: [] });

    server.put("work", "a.ics", event("a", "Moved"));
    server.remove("work", "b.ics");
    server.put("work", "d.ics", event("d"));
    server.put("work", "past.ics", event("past", "Moved here"));
    const second = await client.changes(url, still?.state ?? first.state);
    expect(hrefs(second?.changed ?? [])).toEqual(["a.ics", "d.ics", "past.ics"]);
    expect(second?.removed).toEqual(["/anna/work/b.ics"]);
    expect(await client.changes(url, second?.state ?? first.state)).toMatchObject({ changed: [], removed: [] });
  });
});

test("without etags every object may have changed, and what is gone is known all the same", async () => {
  const url = server.add("work", "Work");
  server.leaves = { noSync: true, noCtag: true, noEtags: true };
  server.put("work", "a.ics", event("a"));
  server.put("work", "b.ics", event("b"));
  const client = open();
  const { state } = await client.read(url, window);
  server.remove("work", "b.ics");
  const second = await client.changes(url, state);
  expect(second?.changed.map(({ href }) => href)).toEqual(["/anna/work/a.ics"]);
  expect(second?.removed).toEqual(["/anna/work/b.ics"]);
});

test("a token that the server forgot means that the calendar is to be read again", async () => {
  const url = server.add("work", "Work");
  server.put("work", "a.ics", event("a"));
  const client = open();
  const { state } = await client.read(url, window);
  server.leaves = { forgetsTokens: true };
  server.put("work", "c.ics", event("c"));
  expect(await client.changes(url, state)).toBeNull();
  expect((await client.read(url, window)).objects.length).toBe(2);
});

test("a large calendar is read in batches", async () => {
  const url = server.add("work", "Work");
  for (let at = 0; at < 130; at++) server.put("work", `${at}.ics`, event(String(at)));
  expect((await open().read(url, window)).objects.length).toBe(130);
  expect(server.requests.filter(({ body }) => body.includes("multiget")).length).toBe(3);
});

describe("faults", () => {
  const state: CalendarState = { syncToken: "http://sync/1", ctag: null, etags: {} };

  test("a wrong password is refused, and is nowhere in the fault", async () => {
    server.add("work", "Work");
    const client = openCalendarClient(server.url, { user: "anna", password: "wrong secret" });
    const fault = await client.calendars().catch((error: unknown) => error);
    expect(fault).toMatchObject({ reason: "refused_login" });
    expect(inspect(fault, { depth: 9 })).not.toMatch(/wrong secret|d3Jvbmcg|OndyB/);
  });

  test.each([
    ["is busy", 429, "throttled"],
    ["has a fault", 500, "unreachable"],
    ["answers no XML", 200, "not_calendar"],
  ])("a server that %s", async (_, status, reason) => {
    const url = server.add("work", "Work");
    server.instead = (_request, response) => void response.writeHead(status, { "retry-after": "7" }).end("Hello");
    const fault = (await open()
      .changes(url, state)
      .catch((error: unknown) => error)) as CalendarFault;
    expect(fault.reason).toBe(reason);
    if (reason === "throttled") expect(fault.retryAfterMs).toBe(7_000);
  });

  test("an answer of another shape, one without end and one that is cut", async () => {
    const url = server.add("work", "Work");
    server.instead = (_request, response) => void response.writeHead(207).end("<html><body>Sign in</body></html>");
    expect(await reasonOf(open().read(url, window))).toBe("not_calendar");
    server.instead = (_request, response) => {
      response.writeHead(207);
      for (let at = 0; at < 30; at++) response.write(Buffer.alloc(1024 * 1024, "x"));
      response.end();
    };
    expect(await reasonOf(open().read(url, window))).toBe("too_large");
    server.instead = (_request, response) => {
      response.writeHead(207, { "content-length": "500" }).write("<d:multistatus");
      setTimeout(() => response.destroy(), 20);
    };
    expect(await reasonOf(open().read(url, window))).toBe("unreachable");
  });

  test("the password stays at the site that it is for", async () => {
    server.add("work", "Work");
    const other = server.url.replace("127.0.0.1", "localhost");
    bootWith({ PRIVATE_MAIL_SERVERS: "127.0.0.1,localhost" });
    try {
      server.instead = (_request, response) => void response.writeHead(301, { location: `${other}/anna/` }).end();
      expect(await reasonOf(open().calendars())).toBe("refused_login");
      expect(server.requests.map(({ authorization }) => authorization !== undefined)).toEqual([true, false]);
    } finally {
      bootWith({ PRIVATE_MAIL_SERVERS: "127.0.0.1" });
    }
  });

  test("a server in one's own network is asked without TLS, and not where REQUIRE_TLS is true", async () => {
    const plain = server.url;
    expect(plain).toMatch(/^http:/);
    bootWith({ PRIVATE_MAIL_SERVERS: "127.0.0.1", REQUIRE_TLS: "true" });
    try {
      const before = server.requests.length;
      expect(await reasonOf(open(plain).calendars())).toBe("tls");
      expect(server.requests).toHaveLength(before);
    } finally {
      bootWith({ PRIVATE_MAIL_SERVERS: "127.0.0.1" });
    }
  });

  test("what leads to one's own network is not asked", async () => {
    bootWith({});
    try {
      for (const address of [
        "https://127.0.0.1:9",
        "https://[::1]:9",
        "https://localhost:9",
        "https://169.254.169.254",
        "https://2130706433",
      ])
        expect([address, await reasonOf(open(address).calendars())]).toEqual([address, "private_address"]);
      expect(await reasonOf(open("http://calendar.example").calendars())).toBe("tls");
    } finally {
      bootWith({ PRIVATE_MAIL_SERVERS: "127.0.0.1" });
    }
  });
});

describe("a private address of a calendar", () => {
  test("gives it once, and again when it changed", async () => {
    server.add("feed", "Feed");
    server.put("feed", "a", event("a"));
    const address = `${server.url}/feed.ics`;
    const first = await readFeed(address, null);
    expect(first?.ics).toContain("UID:a");
    expect(await readFeed(address, first?.etag ?? null)).toBeNull();
    server.put("feed", "b", event("b"));
    expect((await readFeed(address, first?.etag ?? null))?.ics).toContain("UID:b");
  });

  test("that gives no calendar is refused", async () => {
    expect(await reasonOf(readFeed(`${server.url}/none.ics`, null))).toBe("not_found");
    server.instead = (_request, response) => void response.writeHead(200).end("<html>Sign in</html>");
    expect(await reasonOf(readFeed(`${server.url}/feed.ics`, null))).toBe("not_calendar");
    expect(await reasonOf(readFeed("not an address", null))).toBe("not_found");
  });
});
