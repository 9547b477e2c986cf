/**
 * A server that behaves as Cal.com's API v2 documents: keys, /me, webhooks (one per account and address, 409 for a second),
 * bookings in both shapes of paging, limits, faults and hangs. It records what it receives.
 */
import { randomUUID } from "node:crypto";
import { type Answer, type ReceivedRequest, StandIn } from "./stand-in.fixture.ts";

export type StandInAccount = { id: number; email: string; name: string; username?: string };
export type StandInWebhook = {
  id: string;
  userId: number;
  subscriberUrl: string;
  triggers: string[];
  active: boolean;
  secret: string | null;
  payloadTemplate: string | null;
};
export type StandInBooking = {
  uid: string;
  status: string;
  start: string;
  end?: string | null;
  title?: string | null;
  updatedAt?: string;
  attendees: { email: string | null; name?: string | null }[];
  hosts?: { email: string; name?: string }[];
  rescheduledFromUid?: string;
  rescheduledToUid?: string;
} & Record<string, unknown>;

/** The organizer of the bookings of `bookingOf`. */
export const ORGANIZER = "olive@sender.example";

/** An accepted booking of half an hour with this attendee, changed just now. */
export const bookingOf = (uid: string, email: string, more: Partial<StandInBooking> = {}): StandInBooking => ({
  uid,
  status: "accepted",
  start: "2026-11-01T10:00:00.000Z",
  end: "2026-11-01T10:30:00.000Z",
  title: `Call ${uid}`,
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
  attendees: [{ email, name: "Grace Prospect" }],
  hosts: [{ email: ORGANIZER }],
  ...more,
});

/** Its limits, as every answer has them. */
const limits = {
  "X-RateLimit-Limit-Default": "120",
  "X-RateLimit-Remaining-Default": "119",
  "X-RateLimit-Reset-Default": "60",
};

export class CalComStandIn extends StandIn {
  protected override readonly base = "/v2";
  readonly accounts = new Map<string, StandInAccount>();
  readonly webhooks: StandInWebhook[] = [];
  readonly bookings: StandInBooking[] = [];
  /** `cursor`: as of 2026-05-01. `offset`: what older and self-hosted servers answer. */
  paging: "cursor" | "offset" = "cursor";
  /** the largest page it gives, even if more is asked for */
  pageSize = 100;
  /** the filter by attendee is a hint only: it answers bookings of others too */
  loose = false;
  /** refuses addresses that are not https, as the hosted service does */
  httpsOnly = false;

  /** Adds an account and returns its key. */
  account(key = `cal_test_${randomUUID()}`, more: Partial<StandInAccount> = {}): string {
    const id = 1_000 + this.accounts.size;
    this.tokens.add(key);
    this.accounts.set(key, { id, email: `olive${id}@sender.example`, name: "Olive Organizer", ...more });
    return key;
  }

  protected unknownToken({ path }: ReceivedRequest): Answer {
    return { status: 401, body: refusal(path, "Invalid Access Token.", "UnauthorizedException"), headers: limits };
  }

  protected answer(received: ReceivedRequest): Answer {
    return { ...this.#answerTo(received), headers: limits };
  }

  #answerTo(received: ReceivedRequest): Answer {
    const { method, path, query } = received;
    const refuse = (status: number, message: string, code = "Error") => ({
      status,
      body: refusal(path, message, code),
    });
    const account = this.accounts.get(this.tokenIn(received));
    if (!account) return this.unknownToken(received);
    if (method === "GET" && path === "/me")
      return {
        status: 200,
        body: { status: "success", data: { username: "olive", timeZone: "Africa/Lagos", ...account } },
      };
    if (path === "/webhooks" && method === "GET") {
      const own = this.webhooks.filter(({ userId }) => userId === account.id);
      const [skip, take] = [Number(query.skip ?? 0), Number(query.take ?? 100)];
      return { status: 200, body: { status: "success", data: own.slice(skip, skip + take) } };
    }
    if (path === "/webhooks" && method === "POST") return this.#createWebhook(account, received, refuse);
    const id = /^\/webhooks\/([^/]+)$/.exec(path)?.[1];
    if (id) return this.#changeWebhook(account, decodeURIComponent(id), received, refuse);
    if (method === "GET" && path === "/bookings") return this.#listBookings(received, refuse);
    return refuse(404, `Cannot ${method} ${path}`, "NotFoundException");
  }

  #createWebhook(account: StandInAccount, { body }: ReceivedRequest, refuse: Refuse) {
    const given = body as Partial<StandInWebhook>;
    const { subscriberUrl, triggers, active } = given;
    if (!subscriberUrl || !Array.isArray(triggers) || typeof active !== "boolean")
      return refuse(400, "Bad request", "BadRequestException");
    if (this.httpsOnly && !subscriberUrl.startsWith("https://"))
      return refuse(400, "subscriberUrl must be a public https URL", "BadRequestException");
    if (this.webhooks.some((other) => other.userId === account.id && other.subscriberUrl === subscriberUrl))
      return refuse(409, "Webhook with this subscriber url already exists for this user", "ConflictException");
    const webhook: StandInWebhook = {
      id: randomUUID(),
      userId: account.id,
      subscriberUrl,
      triggers,
      active,
      secret: given.secret ?? null,
      payloadTemplate: null,
    };
    this.webhooks.push(webhook);
    return { status: 201, body: { status: "success", data: webhook } };
  }

  #changeWebhook(account: StandInAccount, id: string, { method, body }: ReceivedRequest, refuse: Refuse) {
    const index = this.webhooks.findIndex((webhook) => webhook.id === id);
    const webhook = this.webhooks[index];
    if (!webhook) return refuse(404, `Webhook with id ${id} not found`, "NotFoundException");
    if (webhook.userId !== account.id) return refuse(403, "Forbidden resource", "ForbiddenException");
    if (method === "PATCH") Object.assign(webhook, body);
    if (method === "DELETE") this.webhooks.splice(index, 1);
    return { status: 200, body: { status: "success", data: webhook } };
  }

  #listBookings({ query, headers }: ReceivedRequest, refuse: Refuse) {
    if (query.status?.includes(",")) return refuse(400, "status takes one value", "BadRequestException");
    const limit = Number(query.limit ?? query.take ?? 50);
    if (!(limit >= 1 && limit <= (query.take ? 250 : 100)))
      return refuse(400, "limit must not be greater than 100", "BadRequestException");
    const email = query.attendeeEmail?.toLowerCase();
    const after = query.afterUpdatedAt ? Date.parse(query.afterUpdatedAt) : Number.NEGATIVE_INFINITY;
    const matches = this.bookings
      .filter(
        ({ attendees }) =>
          email === undefined || this.loose || attendees.some((one) => one.email?.toLowerCase() === email),
      )
      .filter(({ updatedAt, start }) => Date.parse(updatedAt ?? start) > after);
    if (query.sortUpdatedAt)
      matches.sort((a, b) => Date.parse(a.updatedAt ?? a.start) - Date.parse(b.updatedAt ?? b.start));
    const size = Math.min(limit, this.pageSize);
    const offsetShape = this.paging === "offset" || headers["cal-api-version"] !== "2026-05-01";
    const from = offsetShape
      ? Number(query.skip ?? 0)
      : Number(query.cursor ? Buffer.from(query.cursor, "base64url").toString() : 0);
    const data = matches.slice(from, from + size);
    const more = from + data.length < matches.length;
    const next = more ? Buffer.from(String(from + data.length)).toString("base64url") : null;
    const pagination = offsetShape
      ? {
          totalItems: matches.length,
          returnedItems: data.length,
          itemsPerPage: size,
          remainingItems: matches.length - from - data.length,
          hasNextPage: more,
          hasPreviousPage: from > 0,
        }
      : { nextCursor: next, hasMore: more };
    return { status: 200, body: { status: "success", data, pagination } };
  }
}

type Refuse = (status: number, message: string, code?: string) => { status: number; body: unknown };

const refusal = (path: string, message: string, code = "Error") => ({
  status: "error",
  timestamp: new Date().toISOString(),
  path: `/v2${path}`,
  error: { code, message },
});
