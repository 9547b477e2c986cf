import { Fault } from "#lib/core/errors.ts";
import { sealJson, unsealJson } from "#lib/db/sealed.ts";
import { purposeOfCalendar } from "#lib/domain/encrypted-columns.ts";
import { CalendarFault, openCalendarClient } from "#lib/providers/caldav/client.ts";
import { readFeed } from "#lib/providers/caldav/feed.ts";
import { digestOf } from "#lib/text/digest.ts";
import type { CalendarRow } from "../queries.ts";

/** How a member's calendars are read: with a login at a server, or by a private address. */
export type CalendarSource =
  | { kind: "caldav"; server: string; user: string; password: string }
  | { kind: "ics"; address: string };

/** The one calendar of a private address, which itself must not be shown. */
const FEED = "feed";

export const sealSource = (id: string, source: CalendarSource): string => sealJson(purposeOfCalendar(id), source);

/** Null when its key is gone. */
export const sourceOf = ({ id, credentials }: Pick<CalendarRow, "id" | "credentials">): CalendarSource | null =>
  unsealJson<CalendarSource>(purposeOfCalendar(id), credentials);

/** The same for the same calendars. */
export const keyOfSource = (source: CalendarSource): string =>
  digestOf(source.kind === "ics" ? [source.address] : [source.server, source.user]);

/** What people may see of where it is. */
export function serverOf(source: CalendarSource): string {
  if (source.kind === "caldav") return source.server;
  return URL.parse(source.address.replace(/^webcals?:\/\//i, "https://"))?.hostname ?? "";
}

type Asking = {
  server?: string | undefined;
  user?: string | undefined;
  password?: string | undefined;
  address?: string | undefined;
};

/** Throws 400 `calendar_login_required`. */
function sourceIn({ server, user, password, address }: Asking): CalendarSource {
  if (address !== undefined && server === undefined && user === undefined && password === undefined)
    return { kind: "ics", address };
  if (address === undefined && server !== undefined && user !== undefined && password !== undefined)
    return { kind: "caldav", server, user, password };
  throw new Fault("calendar_login_required");
}

export type OpenCalendars = { source: CalendarSource; calendars: { url: string; name: string }[] };

/**
 * Asks for the calendars that are there. Throws 400 `calendar_login_required` and `invalid_credentials`, 502 `provider_unavailable`.
 */
export const askCalendars = async (asking: Asking): Promise<OpenCalendars> => askSource(sourceIn(asking));

/** Asks for the calendars that are at a place that is known. Throws 400 `invalid_credentials`, 502 `provider_unavailable`. */
export async function askAgain(row: CalendarRow): Promise<OpenCalendars> {
  const source = sourceOf(row);
  if (!source) throw new Fault("invalid_credentials", {}, "The password cannot be opened any more. Enter it again.");
  return askSource(source);
}

async function askSource(source: CalendarSource): Promise<OpenCalendars> {
  try {
    return { source, calendars: await calendarsOf(source) };
  } catch (error) {
    throw error instanceof CalendarFault ? faultOf(source, error) : error;
  }
}

/** The calendars at a source. Throws `CalendarFault`. */
export async function calendarsOf(
  source: CalendarSource,
  signal?: AbortSignal,
): Promise<{ url: string; name: string }[]> {
  const options = signal ? { signal } : {};
  if (source.kind === "caldav") return openCalendarClient(source.server, source, options).calendars();
  await readFeed(source.address, null, options);
  return [{ url: FEED, name: serverOf(source) }];
}

function faultOf(source: CalendarSource, fault: CalendarFault): Fault {
  const { reason } = fault;
  const parameter = source.kind === "ics" ? "address" : "server";
  const advice = adviceOf(source.kind, fault);
  if (reason === "refused_login") return new Fault("invalid_credentials", { reason }, advice);
  if (reason === "not_found" || reason === "not_calendar" || reason === "private_address" || reason === "tls")
    return new Fault("invalid_parameter", { parameter, reason }, advice);
  return new Fault("provider_unavailable", { reason }, advice);
}

/** What is wrong with a calendar and what its member can do, in words. */
export function adviceOf(kind: CalendarRow["kind"], { reason }: CalendarFault): string {
  const isFeed = kind === "ics";
  switch (reason) {
    case "refused_login":
      return isFeed
        ? "The calendar's address is refused. Copy its private address again."
        : "The calendar server does not accept the user name or password. Google, Apple and others want an app password here.";
    case "private_address":
      return "The server has an address inside this network. Enter its public name.";
    case "not_found":
      return isFeed
        ? "There is no calendar at this address any more. Copy its private address again."
        : "There are no calendars at this server for this user. Check the server's address.";
    case "not_calendar":
      return "What the server answers is no calendar. Check its address.";
    case "tls":
      return "The server has no secure connection that can be trusted. Its address must begin with https.";
    case "throttled":
      return "The calendar server asked us to wait. Nothing is lost; reading goes on later.";
    case "too_large":
      return "The calendar is larger than can be read (24 MB).";
    default:
      return "The calendar server could not be reached. Nothing is lost; it is tried again.";
  }
}
