/**
 * A server that behaves as Cal.com's API v2 documents: keys, /me, webhooks (one per account and address, 409 for a second),
 * bookings in both shapes of paging, limits, faults and hangs. It records what it receives.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

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

type ReceivedRequest = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage["headers"];
  body: unknown;
  at: number;
};

/** What the next matching requests get instead of an answer. */
type Trouble = { times: number; fits: (received: ReceivedRequest) => boolean } & (
  | { status: number; headers?: Record<string, string>; body?: unknown; text?: string }
  | { hangs: true }
  | { drops: true }
);

export class CalComStandIn {
  readonly #server: Server;
  readonly accounts = new Map<string, StandInAccount>();
  readonly webhooks: StandInWebhook[] = [];
  readonly bookings: StandInBooking[] = [];
  readonly received: ReceivedRequest[] = [];
  readonly #troubles: Trouble[] = [];
  /** `cursor`: as of 2026-05-01. `offset`: what older and self-hosted servers answer. */
  paging: "cursor" | "offset" = "cursor";
  /** the largest page it gives, even if more is asked for */
  pageSize = 100;
  /** the filter by attendee is a hint only: it answers bookings of others too */
  loose = false;
  /** refuses addresses that are not https, as the hosted service does */
  httpsOnly = false;

  constructor() {
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The base URL, as `CAL_COM_API_URL` names it. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v2`;
  }

  /** Adds an account and returns its key. */
  account(key = `cal_test_${randomUUID()}`, more: Partial<StandInAccount> = {}): string {
    const id = 1_000 + this.accounts.size;
    this.accounts.set(key, { id, email: `olive${id}@sender.example`, name: "Olive Organizer", ...more });
    return key;
  }

  /** The next `times` requests whose path begins like this (with that method) run into this trouble. */
  trouble(
    what: { method?: string; path?: string; times?: number } & (
      | { status: number; headers?: Record<string, string>; body?: unknown; text?: string }
      | { hangs: true }
      | { drops: true }
    ),
  ): void {
    const { method, path = "", times = 1, ...rest } = what;
    const fits = (received: ReceivedRequest) =>
      (method === undefined || received.method === method) && received.path.startsWith(path);
    this.#troubles.push({ times, fits, ...rest } as Trouble);
  }

  /** Clears what was received, and all trouble. */
  calm(): void {
    this.received.length = 0;
    this.#troubles.length = 0;
  }

  /** Requests received, as `METHOD /path`. */
  get calls(): string[] {
    return this.received.map(({ method, path }) => `${method} ${path}`);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://stand-in");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const received: ReceivedRequest = {
      method: request.method ?? "GET",
      path: url.pathname.replace(/^\/v2/, ""),
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: text === "" ? null : JSON.parse(text),
      at: Date.now(),
    };
    this.received.push(received);
    const trouble = this.#troubles.find(({ times, fits }) => times > 0 && fits(received));
    if (trouble) {
      trouble.times -= 1;
      if ("hangs" in trouble) return; // the socket stays open until the caller or the stand-in ends
      if ("drops" in trouble) return void request.socket.destroy();
      const { status, headers = {}, body = refusal(status, received.path, "It was told to."), text: said } = trouble;
      response.writeHead(status, { "content-type": said === undefined ? "application/json" : "text/html", ...headers });
      response.end(said ?? JSON.stringify(body));
      return;
    }
    const { status, body } = this.#answer(received);
    response.writeHead(status, {
      "content-type": "application/json",
      "X-RateLimit-Limit-Default": "120",
      "X-RateLimit-Remaining-Default": "119",
      "X-RateLimit-Reset-Default": "60",
    });
    response.end(JSON.stringify(body));
  }

  #answer(received: ReceivedRequest): { status: number; body: unknown } {
    const { method, path, headers, query } = received;
    const refuse = (status: number, message: string, code = "Error") => ({
      status,
      body: refusal(status, path, message, code),
    });
    const account = this.accounts.get((headers.authorization ?? "").replace(/^Bearer /, ""));
    if (!account) return refuse(401, "Invalid Access Token.", "UnauthorizedException");
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

const refusal = (_status: number, path: string, message: string, code = "Error") => ({
  status: "error",
  timestamp: new Date().toISOString(),
  path: `/v2${path}`,
  error: { code, message },
});
