/** A CalDAV server on this machine. It behaves as RFC 4791 and 6578 say, with or without what servers leave out. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";

export type StoredCalendar = {
  name: string;
  /** null: it does not say what it holds */
  components: string[] | null;
  objects: Map<string, { ics: string; version: number }>;
  version: number;
  /** versions at which objects were removed */
  removed: Map<string, number>;
};

/** What servers leave out, or do instead. */
export type Leaves = {
  noSync?: boolean;
  noEtags?: boolean;
  noCtag?: boolean;
  /** the well-known address leads nowhere */
  noWellKnown?: boolean;
  /** tokens are forgotten */
  forgetsTokens?: boolean;
  /** an answer to a sync holds this many at most */
  cutsAt?: number;
  /** answers name the collection itself too */
  namesItself?: boolean;
};

export const CALENDAR_LOGIN = { user: "anna", password: "a calendar password" };

type AnsweredRequest = { method: string; path: string; authorization: string | undefined; body: string };

export class CalDavServer {
  readonly #server: Server;
  readonly calendars = new Map<string, StoredCalendar>();
  readonly requests: AnsweredRequest[] = [];
  leaves: Leaves = {};
  /** what is answered in place of the usual, once */
  instead: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = "", url: path = "", headers } = request;
      const body = Buffer.concat(chunks).toString();
      this.requests.push({ method, path, authorization: headers.authorization, body });
      const { instead } = this;
      this.instead = null;
      if (instead) return instead(request, response);
      this.#answer(method, path, headers, body, response);
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** It does not keep the process. */
  rest(): void {
    this.#server.unref();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  calm(): void {
    this.calendars.clear();
    this.requests.length = 0;
    this.leaves = {};
    this.instead = null;
  }

  add(id: string, name: string, components: string[] | null = ["VEVENT"]): string {
    this.calendars.set(id, { name, components, objects: new Map(), version: 1, removed: new Map() });
    return `${this.url}/anna/${id}/`;
  }

  put(id: string, object: string, ics: string): void {
    const calendar = this.#calendar(id);
    calendar.objects.set(object, { ics, version: ++calendar.version });
    calendar.removed.delete(object);
  }

  remove(id: string, object: string): void {
    const calendar = this.#calendar(id);
    calendar.objects.delete(object);
    calendar.removed.set(object, ++calendar.version);
  }

  #calendar(id: string): StoredCalendar {
    const calendar = this.calendars.get(id);
    if (!calendar) throw new Error(`There is no calendar ${id}.`);
    return calendar;
  }

  #answer(
    method: string,
    path: string,
    headers: IncomingMessage["headers"],
    body: string,
    response: ServerResponse,
  ): unknown {
    const end = (status: number, text = "", more: Record<string, string> = {}): unknown =>
      response.writeHead(status, { "content-type": "application/xml; charset=utf-8", ...more }).end(text);
    if (path === "/.well-known/caldav") {
      if (this.leaves.noWellKnown) return end(404);
      return end(301, "", { location: "/anna/" });
    }
    if (path.endsWith(".ics") && method === "GET") return this.#feed(path, headers, end);
    const { user, password } = CALENDAR_LOGIN;
    if (headers.authorization !== `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`) return end(401);
    if (/^\/(\?|$)/.test(path) && method === "PROPFIND") return end(207, multistatus([resource("/", principal)]));
    if (path === "/anna/" && method === "PROPFIND") {
      const home = resource(
        "/anna/",
        `${principal}<d:resourcetype><d:collection/></d:resourcetype><c:calendar-home-set><d:href>/anna/</d:href></c:calendar-home-set>`,
      );
      const all = [...this.calendars].map(([id, calendar]) => this.#about(id, calendar));
      return end(207, multistatus(headers.depth === "1" ? [home, ...all] : [home]));
    }
    const id = /^\/anna\/([^/]+)\/$/.exec(path)?.[1] ?? "";
    const calendar = this.calendars.get(id);
    if (!calendar) return end(404);
    if (method === "PROPFIND") return end(207, multistatus([this.#about(id, calendar)]));
    if (method === "REPORT" && body.includes("sync-collection")) return this.#sync(id, calendar, body, end);
    if (method === "REPORT" && body.includes("calendar-query")) {
      const itself = this.leaves.namesItself ? [resource(path, '<d:getetag>"c"</d:getetag>')] : [];
      const [, from = "", to = ""] = /start="(\w+)" end="(\w+)"/.exec(body) ?? [];
      const happens = (ics: string): boolean => {
        const start = /^DTSTART:(\w+)/m.exec(ics)?.[1] ?? "";
        return from === "" || (start >= from && start < to);
      };
      const all = [...calendar.objects]
        .filter(([, { ics }]) => happens(ics))
        .map(([name, { version }]) => resource(`${path}${name}`, this.#etag(version)));
      return end(207, multistatus([...itself, ...all]));
    }
    if (method === "REPORT" && body.includes("calendar-multiget")) {
      const wanted = [...body.matchAll(/<d:href>([^<]+)<\/d:href>/g)].map(([, href = ""]) => href);
      const found = wanted.map((href) => {
        const object = calendar.objects.get(href.slice(path.length));
        return object
          ? resource(href, `${this.#etag(object.version)}<c:calendar-data>${escaped(object.ics)}</c:calendar-data>`)
          : `<d:response><d:href>${href}</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>`;
      });
      return end(207, multistatus(found));
    }
    return end(405);
  }

  #feed(
    path: string,
    headers: IncomingMessage["headers"],
    end: (status: number, text?: string, more?: Record<string, string>) => unknown,
  ): unknown {
    const calendar = this.calendars.get(path.slice(1, -4));
    if (!calendar) return end(404);
    const etag = `"v${calendar.version}"`;
    if (headers["if-none-match"] === etag) return end(304);
    const events = [...calendar.objects.values()].map(
      ({ ics }) => /BEGIN:VEVENT[\s\S]*END:VEVENT/.exec(ics)?.[0] ?? "",
    );
    end(200, `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join("\r\n")}\r\nEND:VCALENDAR\r\n`, {
      "content-type": "text/calendar",
      etag,
    });
  }

  #etag(version: number): string {
    // Numbers, as Radicale's look to a parser that guesses.
    return this.leaves.noEtags ? "" : `<d:getetag>"${version}"</d:getetag>`;
  }

  #about(id: string, { name, components, version }: StoredCalendar): string {
    const holds = components?.map((one) => `<c:comp name="${one}"/>`).join("");
    return resource(
      `/anna/${id}/`,
      [
        "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>",
        `<d:displayname>${escaped(name)}</d:displayname>`,
        holds === undefined ? "" : `<c:supported-calendar-component-set>${holds}</c:supported-calendar-component-set>`,
        this.leaves.noCtag ? "" : `<s:getctag>${version}</s:getctag>`,
        this.leaves.noSync ? "" : `<d:sync-token>http://sync/${version}</d:sync-token>`,
      ].join(""),
    );
  }

  #sync(id: string, calendar: StoredCalendar, body: string, end: (status: number, text?: string) => unknown): unknown {
    const since = Number(/http:\/\/sync\/(\d+)/.exec(body)?.[1]);
    if (this.leaves.noSync || this.leaves.forgetsTokens || Number.isNaN(since))
      return end(403, `<d:error xmlns:d="DAV:"><d:valid-sync-token/></d:error>`);
    const changes = [
      ...[...calendar.objects].map(([name, { version }]) => ({ name, version, gone: false })),
      ...[...calendar.removed].map(([name, version]) => ({ name, version, gone: true })),
    ]
      .filter(({ version }) => version > since)
      .toSorted((one, other) => one.version - other.version);
    const given = changes.slice(0, this.leaves.cutsAt ?? changes.length);
    const path = `/anna/${id}/`;
    const parts = given.map(({ name, version, gone }) =>
      gone
        ? `<d:response><d:href>${path}${name}</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>`
        : resource(`${path}${name}`, this.#etag(version)),
    );
    const cut = given.length < changes.length;
    if (cut)
      parts.push(
        `<d:response><d:href>${path}</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status></d:response>`,
      );
    if (this.leaves.namesItself) parts.push(resource(path, `<d:getetag>"c"</d:getetag>`));
    const token = cut ? given.at(-1)?.version : calendar.version;
    end(207, multistatus(parts, `<d:sync-token>http://sync/${token}</d:sync-token>`));
  }
}

const principal = "<d:current-user-principal><d:href>/anna/</d:href></d:current-user-principal>";

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const resource = (href: string, props: string): string =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop><a:calendar-color/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>`;

const multistatus = (resources: readonly string[], more = ""): string =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/" xmlns:a="http://apple.com/ns/ical/">${resources.join("")}${more}</d:multistatus>`;

export function useCalDavServer(): CalDavServer {
  const server = new CalDavServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}

let standing: Promise<CalDavServer> | undefined;

/** One server of a process, with one calendar, for tests that only need some server; it does not keep the process. */
export function standingCalDavServer(): Promise<CalDavServer> {
  standing ??= (async () => {
    const server = new CalDavServer();
    await server.start();
    server.add("work", "Work");
    server.rest();
    return server;
  })();
  return standing;
}
