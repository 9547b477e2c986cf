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

/** What is known of a calendar from the last time: etags by the addresses of its objects. Nothing: it is read whole. */
export type CalendarState = { syncToken: string | null; ctag: string | null; etags: Readonly<Record<string, string>> };

type CalendarChanges = {
  /** objects that are new or changed: an event with its exceptions each, as iCalendar */
  changed: { href: string; etag: string | null; ics: string }[];
  /** objects that are gone from the calendar, or from the time that was asked for */
  removed: string[];
  state: CalendarState;
};

export interface CalendarClient {
  calendars(): Promise<Calendar[]>;
  /** What changed since a state. `window`: events that matter; a server that syncs by tokens gives others too. */
  changes(calendar: string, since: CalendarState | null, window: { from: Date; to: Date }): Promise<CalendarChanges>;
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

  async changes(
    calendar: string,
    since: CalendarState | null,
    window: { from: Date; to: Date },
  ): Promise<CalendarChanges> {
    const url = URL.parse(calendar);
    if (!url) throw new CalendarFault("not_found");
    const { resources } = await this.#propfind(url, 0, "s:getctag", "d:sync-token", "d:resourcetype");
    const self = resources[0];
    if (!self || !isCalendar(self)) throw new CalendarFault("not_found");
    const ctag = textOf(self.props["getctag"]) || null;
    const token = textOf(self.props["sync-token"]) || null;
    if (since?.syncToken && since.syncToken === token) return { changed: [], removed: [], state: since };
    const synced = since?.syncToken ? await this.#sync(url, since.syncToken, since.etags) : null;
    if (synced) return { ...synced, state: { ...synced.state, ctag } };
    // Without tokens: nothing changed when the calendar's own tag is the same.
    if (since?.ctag && since.ctag === ctag && !token) return { changed: [], removed: [], state: since };
    const listed = await this.#list(url, window);
    const known = since?.etags ?? {};
    // Without an etag it may have changed.
    const wanted = [...listed].filter(([href, etag]) => etag === null || known[href] !== etag).map(([href]) => href);
    const changed = await this.#get(url, wanted);
    const etags = Object.fromEntries([...listed].map(([href, etag]) => [href, etag ?? ""]));
    const removed = Object.keys(known).filter((href) => !listed.has(href));
    return { changed, removed, state: { syncToken: token, ctag, etags } };
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
  async #sync(url: URL, since: string, known: CalendarState["etags"]): Promise<CalendarChanges | null> {
    const etags: Record<string, string> = { ...known };
    const wanted = new Set<string>();
    const removed = new Set<string>();
    let token = since;
    for (let part = 0; part < MOST_PARTS; part++) {
      const answer = await this.#site.ask(url, { method: "REPORT", headers: { depth: "0" }, body: syncReport(token) });
      if (answer.status !== 207) return null;
      const { resources, syncToken } = readMultistatus(answer.text);
      for (const { href, status, props } of resources.filter((one) => !isSame(one.href, url))) {
        const path = pathOf(href, url);
        if (status === 404 || status === 410) {
          removed.add(path);
          wanted.delete(path);
          delete etags[path];
        } else if (textOf(props["getetag"]) === "" || etags[path] !== textOf(props["getetag"])) {
          wanted.add(path);
          removed.delete(path);
          etags[path] = textOf(props["getetag"]);
        }
      }
      // The collection itself with 507: there is more.
      const cut = resources.some(({ href, status }) => status === 507 && isSame(href, url));
      if (syncToken === null) return null;
      token = syncToken;
      if (!cut) {
        const changed = await this.#get(url, [...wanted]);
        return { changed, removed: [...removed], state: { syncToken: token, ctag: null, etags } };
      }
    }
    throw new CalendarFault("not_calendar");
  }

  /** Addresses of the events of a time, with their etags, where the server has any. */
  async #list(url: URL, { from, to }: { from: Date; to: Date }): Promise<Map<string, string | null>> {
    const answer = await this.#site.ask(url, {
      method: "REPORT",
      headers: { depth: "1" },
      body: queryReport(from, to),
    });
    if (answer.status !== 207) throw new CalendarFault("not_calendar");
    const { resources } = readMultistatus(answer.text);
    return new Map(
      resources
        .filter(({ href, status }) => !isSame(href, url) && (status === null || status < 300))
        .map(({ href, props }) => [pathOf(href, url), textOf(props["getetag"]) || null]),
    );
  }

  async #get(url: URL, paths: readonly string[]): Promise<CalendarChanges["changed"]> {
    const found: CalendarChanges["changed"] = [];
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
