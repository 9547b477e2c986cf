/** A person's calendars at their server, by CalDAV (RFC 4791): read only. */
import { CalendarFault } from "./fault.ts";
import { type CalendarLogin, Site } from "./http.ts";
import {
  childOf,
  childrenOf,
  type Element,
  multigetReport,
  propfind,
  queryReport,
  type Resource,
  readMultistatus,
  syncReport,
  textOf,
} from "./xml.ts";

export { CalendarFault } from "./fault.ts";
export type { CalendarLogin } from "./http.ts";

type Calendar = { url: string; name: string };

/** What is known of a calendar: by tokens where its server has them, else by the etags of all its objects. */
export type CalendarState = { syncToken: string | null; ctag: string | null; etags: Readonly<Record<string, string>> };

/** An event with its exceptions, as iCalendar. */
type CalendarObject = { href: string; etag: string | null; ics: string };

export interface CalendarClient {
  calendars(): Promise<Calendar[]>;
  /** Objects of which something happens in a time; and the state to ask for changes from, of the whole calendar. */
  read(calendar: string, time: { from: Date; to: Date }): Promise<{ objects: CalendarObject[]; state: CalendarState }>;
  /** What changed in the whole calendar since a state. Null when the server does not know the state any more: read it again. */
  changes(
    calendar: string,
    since: CalendarState,
  ): Promise<{ changed: CalendarObject[]; removed: string[]; state: CalendarState } | null>;
}

const BATCH = 50;
/** Parts of one answer that a server cuts into many. */
const MOST_PARTS = 200;

/**
 * `server`: an address as people have it: that of the server, of a person, of a calendar, or only a domain. Every call throws
 * `CalendarFault`.
 */
export function openCalendarClient(
  server: string,
  login: CalendarLogin,
  options: { signal?: AbortSignal } = {},
): CalendarClient {
  const home = URL.parse(/^https?:\/\//i.test(server) ? server : `https://${server}`);
  if (!home || home.username || home.password) throw new CalendarFault("not_found");
  return new Connection(home, new Site(home, login, options.signal));
}

class Connection implements CalendarClient {
  readonly #home: URL;
  readonly #site: Site;

  constructor(home: URL, site: Site) {
    this.#home = home;
    this.#site = site;
  }

  async calendars(): Promise<Calendar[]> {
    const props = [
      "d:resourcetype",
      "d:displayname",
      "d:current-user-principal",
      "c:calendar-home-set",
      "c:supported-calendar-component-set",
    ];
    const own = await this.#find(props);
    if (isCalendar(own.resource)) return [calendarOf(own)];
    const homes = hrefsIn(own.resource.props["calendar-home-set"]);
    if (homes.length === 0) {
      const [principal] = hrefsIn(own.resource.props["current-user-principal"]);
      if (principal === undefined) throw new CalendarFault("not_found");
      const at = new URL(principal, own.url);
      const { resources } = await this.#propfind(at, 0, "c:calendar-home-set");
      homes.push(...hrefsIn(resources[0]?.props["calendar-home-set"]).map((href) => new URL(href, at).href));
    }
    const found: Calendar[] = [];
    for (const href of homes) {
      const { resources, url } = await this.#propfind(
        new URL(href, own.url),
        1,
        ...props.slice(0, 2),
        "c:supported-calendar-component-set",
      );
      found.push(...resources.filter(isCalendar).map((resource) => calendarOf({ resource, url })));
    }
    return [...new Map(found.map((one) => [one.url, one])).values()];
  }

  async read(calendar: string, time: { from: Date; to: Date }): ReturnType<CalendarClient["read"]> {
    // The state first: what changes meanwhile is then a change since.
    const { url, token, ctag } = await this.#stateOf(calendar);
    const etags = token === null ? etagsOf(await this.#list(url)) : {};
    const objects = await this.#get(url, [...(await this.#list(url, time)).keys()]);
    return { objects, state: { syncToken: token, ctag, etags } };
  }

  async changes(calendar: string, since: CalendarState): ReturnType<CalendarClient["changes"]> {
    const { url, token, ctag } = await this.#stateOf(calendar);
    if (since.syncToken !== null)
      return since.syncToken === token
        ? { changed: [], removed: [], state: since }
        : await this.#sync(url, since.syncToken);
    if (ctag !== null && since.ctag === ctag) return { changed: [], removed: [], state: since };
    const listed = await this.#list(url);
    const { etags } = since;
    // Without an etag it may have changed.
    const wanted = [...listed].filter(([href, etag]) => etag === null || etags[href] !== etag).map(([href]) => href);
    return {
      changed: await this.#get(url, wanted),
      removed: Object.keys(etags).filter((href) => !listed.has(href)),
      state: { syncToken: null, ctag, etags: etagsOf(listed) },
    };
  }

  async #stateOf(calendar: string): Promise<{ url: URL; token: string | null; ctag: string | null }> {
    const url = URL.parse(calendar);
    if (!url) throw new CalendarFault("not_found");
    const { resources } = await this.#propfind(url, 0, "s:getctag", "d:sync-token", "d:resourcetype");
    const [self] = resources;
    if (!self || !isCalendar(self)) throw new CalendarFault("not_found");
    return { url, ctag: textOf(self.props["getctag"]) || null, token: textOf(self.props["sync-token"]) || null };
  }

  /** What the person gave, or what its well-known address leads to (RFC 6764). */
  async #find(props: readonly string[]): Promise<{ resource: Resource; url: URL }> {
    const places = [this.#home, new URL("/.well-known/caldav", this.#home)];
    // Only a domain: the well-known address says where.
    if (this.#home.pathname === "/") places.reverse();
    for (const place of places) {
      const found = await this.#propfind(place, 0, ...props).catch((error: CalendarFault) => {
        if (error.reason === "not_found" || error.reason === "not_calendar") return null;
        throw error;
      });
      const resource = found?.resources[0];
      if (
        found &&
        resource &&
        (isCalendar(resource) || Object.keys(resource.props).some((name) => /home-set|principal/.test(name)))
      )
        return { resource, url: found.url };
    }
    throw new CalendarFault("not_found");
  }

  async #propfind(url: URL, depth: 0 | 1, ...props: string[]): Promise<{ resources: Resource[]; url: URL }> {
    const answer = await this.#site.ask(url, {
      method: "PROPFIND",
      headers: { depth: String(depth) },
      body: propfind(...props),
    });
    if (answer.status === 404 || answer.status === 410) throw new CalendarFault("not_found");
    if (answer.status !== 207) throw new CalendarFault("not_calendar");
    return { resources: readMultistatus(answer.text).resources, url: answer.url };
  }

  /** What changed since a token. Null when the server does not know it any more. */
  async #sync(url: URL, since: string): ReturnType<CalendarClient["changes"]> {
    const wanted = new Set<string>();
    const removed = new Set<string>();
    let token = since;
    for (let part = 0; part < MOST_PARTS; part++) {
      const answer = await this.#site.ask(url, { method: "REPORT", headers: { depth: "0" }, body: syncReport(token) });
      if (answer.status !== 207) return null;
      const { resources, syncToken } = readMultistatus(answer.text);
      if (syncToken === null) return null;
      token = syncToken;
      for (const { href, status } of resources.filter((one) => !isSame(one.href, url))) {
        const path = pathOf(href, url);
        const [into, out] = status === 404 || status === 410 ? [removed, wanted] : [wanted, removed];
        into.add(path);
        out.delete(path);
      }
      // The collection itself with 507: there is more.
      if (resources.some(({ href, status }) => status === 507 && isSame(href, url))) continue;
      const changed = await this.#get(url, [...wanted]);
      return { changed, removed: [...removed], state: { syncToken: token, ctag: null, etags: {} } };
    }
    throw new CalendarFault("not_calendar");
  }

  /** Addresses of events with their etags, where the server has any: of all, or of those that happen in a time. */
  async #list(url: URL, time?: { from: Date; to: Date }): Promise<Map<string, string | null>> {
    const answer = await this.#site.ask(url, { method: "REPORT", headers: { depth: "1" }, body: queryReport(time) });
    if (answer.status !== 207) throw new CalendarFault("not_calendar");
    const { resources } = readMultistatus(answer.text);
    return new Map(
      resources
        .filter(({ href, status }) => !isSame(href, url) && (status === null || status < 300))
        .map(({ href, props }) => [pathOf(href, url), textOf(props["getetag"]) || null]),
    );
  }

  async #get(url: URL, paths: readonly string[]): Promise<CalendarObject[]> {
    const found: CalendarObject[] = [];
    for (let at = 0; at < paths.length; at += BATCH) {
      const answer = await this.#site.ask(url, {
        method: "REPORT",
        headers: { depth: "1" },
        body: multigetReport(paths.slice(at, at + BATCH)),
      });
      if (answer.status !== 207) throw new CalendarFault("not_calendar");
      for (const { href, props } of readMultistatus(answer.text).resources) {
        const ics = textOf(props["calendar-data"]);
        if (ics !== "") found.push({ href: pathOf(href, url), etag: textOf(props["getetag"]) || null, ics });
      }
    }
    return found;
  }
}

const etagsOf = (listed: ReadonlyMap<string, string | null>): Record<string, string> =>
  Object.fromEntries([...listed].map(([href, etag]) => [href, etag ?? ""]));

const pathOf = (href: string, base: URL): string => URL.parse(href, base)?.pathname ?? href;
const isSame = (href: string, url: URL): boolean =>
  pathOf(href, url).replace(/\/+$/, "") === url.pathname.replace(/\/+$/, "");

const hrefsIn = (element: Element | Element[] | undefined): string[] =>
  (Array.isArray(element) ? element : [element]).flatMap((one) => childrenOf(one, "href").map(textOf)).filter(Boolean);

/** A calendar that holds events; one that does not say what it holds does. */
function isCalendar({ props }: Resource): boolean {
  if (childOf(props["resourcetype"], "calendar") === undefined) return false;
  const components = childrenOf(props["supported-calendar-component-set"], "comp");
  return (
    components.length === 0 ||
    components.some((component) => textOf(childOf(component, "@name")).toUpperCase() === "VEVENT")
  );
}

function calendarOf({ resource, url }: { resource: Resource; url: URL }): Calendar {
  const at = new URL(resource.href || url.href, url);
  const name = textOf(resource.props["displayname"]).slice(0, 200);
  return { url: at.href, name: name || decodeURIComponent(at.pathname.split("/").filter(Boolean).at(-1) ?? "") };
}
