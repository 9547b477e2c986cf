import { z } from "zod";
import { type Call, type Endpoint, ProviderFault, request } from "../request.ts";

const CAL_COM = "Cal.com";

/** One portal at one Cal.com. */
export type CalComPortal = { base: string; configured: boolean; apiKey: string };

/** The version is per endpoint: this is of GET /bookings; /me and /webhooks take none. */
const BOOKINGS_VERSION = "2026-05-01";

export const TRIGGERS = ["BOOKING_CREATED", "BOOKING_CANCELLED", "BOOKING_RESCHEDULED"] as const;

const text = z.string();
const Person = z.looseObject({ email: text.nullish(), name: text.nullish(), displayEmail: text.nullish() });

const Me = z.looseObject({
  id: z.union([z.int(), text]).transform(String),
  email: text.nullish(),
  name: text.nullish(),
  username: text.nullish(),
});
export type Me = z.output<typeof Me>;

const Webhook = z.looseObject({ id: z.union([z.int(), text]).transform(String), subscriberUrl: text });

/** A booking as the API lists it. Every field but its identity and time may be absent, and there may be others. */
const ListedBooking = z.looseObject({
  uid: text.min(1).max(200),
  status: text.nullish().transform((status) => (status ?? "").toLowerCase()),
  start: z.iso.datetime({ offset: true }).transform((time) => new Date(time)),
  end: text.nullish(),
  title: text.nullish(),
  location: text.nullish(),
  icsUid: text.nullish(),
  createdAt: text.nullish(),
  updatedAt: text.nullish(),
  hosts: z.array(Person).nullish(),
  attendees: z.array(Person).nullish(),
  rescheduledFromUid: text.nullish(),
  rescheduledToUid: text.nullish(),
});
export type ListedBooking = z.output<typeof ListedBooking>;

/** Either shape of paging: the documented one by cursor, and the older one that self-hosted and some hosted servers answer. */
const Pagination = z.looseObject({
  nextCursor: text.nullish(),
  hasMore: z.boolean().nullish(),
  hasNextPage: z.boolean().nullish(),
});

const inEnvelope = <T extends z.ZodType>(data: T) => z.looseObject({ data });
const Page = z.looseObject({ data: z.array(z.unknown()), pagination: Pagination.nullish() });

const endpointOf = ({ base, configured }: CalComPortal): Endpoint => ({ provider: CAL_COM, base, configured });

const call = (portal: CalComPortal, details: Omit<Call, "headers">, headers: Record<string, string> = {}) =>
  request(endpointOf(portal), { ...details, headers: { authorization: `Bearer ${portal.apiKey}`, ...headers } });

function read<T extends z.ZodType>(schema: T, { status, body }: { status: number; body: unknown }): z.output<T> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new ProviderFault(CAL_COM, "unreadable", { status });
  return parsed.data;
}

/** The portal of the key. */
export async function getMe(portal: CalComPortal): Promise<Me> {
  return read(inEnvelope(Me), await call(portal, { path: "/me" })).data;
}

export type Subscription = { url: string; secret: string };

const bodyOf = ({ url, secret }: Subscription) => ({ subscriberUrl: url, triggers: TRIGGERS, active: true, secret });

/**
 * Makes the portal deliver to `url`, signed with `secret`: updates the webhook `known` when it is still there, else
 * creates one, else takes over the one that is already registered for this address. Returns its id. Calling it twice,
 * or at once from two places, has the same result.
 */
export async function subscribe(portal: CalComPortal, wanted: Subscription, webhookId: string | null): Promise<string> {
  if (webhookId !== null && (await updateWebhook(portal, webhookId, wanted))) return webhookId;
  const created = await call(portal, { method: "POST", path: "/webhooks", body: bodyOf(wanted), accepts: [409] });
  if (created.status !== 409) return read(inEnvelope(Webhook), created).data.id;
  const [first, ...others] = await findWebhooks(portal, wanted.url);
  if (first === undefined || !(await updateWebhook(portal, first, wanted)))
    throw new ProviderFault(CAL_COM, "broken", { reason: "it says that the webhook exists, but does not list it" });
  for (const other of others) await unsubscribe(portal, other);
  return first;
}

/** Deletes a webhook; a missing one is fine. */
export async function unsubscribe(portal: CalComPortal, id: string): Promise<void> {
  await call(portal, { method: "DELETE", path: `/webhooks/${encodeURIComponent(id)}`, accepts: [404] });
}

/** False when it is not there or not this portal's. */
async function updateWebhook(portal: CalComPortal, id: string, wanted: Subscription): Promise<boolean> {
  const path = `/webhooks/${encodeURIComponent(id)}`;
  const { status } = await call(portal, { method: "PATCH", path, body: bodyOf(wanted), accepts: [403, 404] });
  return status !== 403 && status !== 404;
}

const WEBHOOKS_PAGE = 250;
const MOST_WEBHOOKS = 10_000;

/** Ids of the portal's webhooks that deliver to `url`. */
export async function findWebhooks(portal: CalComPortal, url: string): Promise<string[]> {
  const ids: string[] = [];
  for (let skip = 0; skip < MOST_WEBHOOKS; skip += WEBHOOKS_PAGE) {
    const query = { take: String(WEBHOOKS_PAGE), skip: String(skip) };
    const { data } = read(inEnvelope(z.array(Webhook)), await call(portal, { path: "/webhooks", query }));
    ids.push(...data.filter(({ subscriberUrl }) => subscriberUrl === url).map(({ id }) => id));
    if (data.length < WEBHOOKS_PAGE) break;
  }
  return ids;
}

const PAGE = 100;
/** No portal has so many; a server that never ends its list does. */
const MOST_PAGES = 500;

type PageStart = { cursor: string } | { skip: number } | null;

export type BookingsFilter = { attendeeEmail?: string; afterUpdatedAt?: Date };
/** `unreadable`: how many items of the page could not be read as bookings. */
export type BookingsPage = { bookings: ListedBooking[]; unreadable: number };

/** The bookings that match the filter, page by page, with a filter on changes the oldest change first. */
export async function* listBookings(portal: CalComPortal, filter: BookingsFilter): AsyncGenerator<BookingsPage> {
  const seen = new Set<string>();
  let place: PageStart = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query: Record<string, string> = { ...queryOf(filter), limit: String(PAGE), ...placeOf(place) };
    const version = { "cal-api-version": BOOKINGS_VERSION };
    const { data, pagination } = read(Page, await call(portal, { path: "/bookings", query }, version));
    const bookings = data.flatMap((item) => ListedBooking.safeParse(item).data ?? []);
    yield { bookings, unreadable: data.length - bookings.length };
    place = data.length === 0 ? null : nextOf(pagination ?? {}, place, data.length);
    if (place === null || seen.has(JSON.stringify(place))) return; // a repeated cursor would loop forever
    seen.add(JSON.stringify(place));
  }
}

const queryOf = ({ attendeeEmail, afterUpdatedAt }: BookingsFilter): Record<string, string> => ({
  ...(attendeeEmail === undefined ? {} : { attendeeEmail }),
  ...(afterUpdatedAt === undefined ? {} : { afterUpdatedAt: afterUpdatedAt.toISOString(), sortUpdatedAt: "asc" }),
});

const placeOf = (place: PageStart): Record<string, string> => {
  if (place === null) return {};
  return "cursor" in place ? { cursor: place.cursor } : { take: String(PAGE), skip: String(place.skip) };
};

function nextOf(
  { nextCursor, hasMore, hasNextPage }: z.output<typeof Pagination>,
  place: PageStart,
  many: number,
): PageStart {
  if (nextCursor) return hasMore === false ? null : { cursor: nextCursor };
  return hasNextPage === true ? { skip: (place && "skip" in place ? place.skip : 0) + many } : null;
}
