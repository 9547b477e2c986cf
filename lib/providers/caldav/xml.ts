import { XMLParser } from "fast-xml-parser";
import { CalendarFault } from "./fault.ts";

/** An element of a parsed answer, without prefixes of namespaces: text, or elements by their names. */
export type Element = string | { [name: string]: Element | Element[] };

/** What an answer of WebDAV says of one address. */
export type Resource = {
  href: string;
  /** of the address itself; null when only its properties have one */
  status: number | null;
  /** properties that it has */
  props: Readonly<Record<string, Element>>;
};

const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  // An etag or a token may look like a number.
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  isArray: (name) => ["response", "propstat", "comp"].includes(name),
});

/** The resources of a multistatus (RFC 4918), and the token of a sync (RFC 6578) where there is one. */
export function readMultistatus(text: string): { resources: Resource[]; syncToken: string | null } {
  const root = parsed(text)["multistatus"];
  if (root === undefined) throw new CalendarFault("not_calendar");
  const responses = childrenOf(root, "response").map((response): Resource => {
    const found = childrenOf(response, "propstat").filter((propstat) => {
      const status = statusIn(childOf(propstat, "status"));
      return status === null || (status >= 200 && status < 300);
    });
    return {
      href: textOf(childOf(response, "href")),
      status: statusIn(childOf(response, "status")),
      props: Object.assign({}, ...found.map((propstat) => elementsOf(childOf(propstat, "prop")))),
    };
  });
  return { resources: responses, syncToken: textOf(childOf(root, "sync-token")) || null };
}

function parsed(text: string): Record<string, Element> {
  try {
    return parser.parse(text) as Record<string, Element>;
  } catch {
    throw new CalendarFault("not_calendar");
  }
}

export const childrenOf = (element: Element | undefined, name: string): Element[] => {
  const children = typeof element === "object" ? element[name] : undefined;
  return children === undefined ? [] : Array.isArray(children) ? children : [children];
};

export const childOf = (element: Element | undefined, name: string): Element | undefined =>
  childrenOf(element, name)[0];

export const textOf = (element: Element | undefined): string =>
  typeof element === "string" ? element : typeof element?.["#text"] === "string" ? element["#text"] : "";

const elementsOf = (element: Element | undefined): Record<string, Element | Element[]> =>
  typeof element === "object" ? element : {};

/** The number in `HTTP/1.1 200 OK`. */
function statusIn(element: Element | undefined): number | null {
  const status = /^\S+ (\d{3})/.exec(textOf(element))?.[1];
  return status === undefined ? null : Number(status);
}

const NAMESPACES =
  'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/" xmlns:a="http://apple.com/ns/ical/"';

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const document = (root: string, inside: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><${root} ${NAMESPACES}>${inside}</${root}>`;

export const propfind = (...props: string[]): string =>
  document("d:propfind", `<d:prop>${props.map((name) => `<${name}/>`).join("")}</d:prop>`);

export const syncReport = (token: string): string =>
  document(
    "d:sync-collection",
    `<d:sync-token>${escaped(token)}</d:sync-token><d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop>`,
  );

/** All events, or those that happen in a time, repeated ones too. */
export function queryReport(time?: { from: Date; to: Date }): string {
  const range = time ? `<c:time-range start="${stamp(time.from)}" end="${stamp(time.to)}"/>` : "";
  return document(
    "c:calendar-query",
    `<d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">${range}</c:comp-filter></c:comp-filter></c:filter>`,
  );
}

export const multigetReport = (hrefs: readonly string[]): string =>
  document(
    "c:calendar-multiget",
    `<d:prop><d:getetag/><c:calendar-data/></d:prop>${hrefs.map((href) => `<d:href>${escaped(href)}</d:href>`).join("")}`,
  );

const stamp = (date: Date): string => `${date.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
