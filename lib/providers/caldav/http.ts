import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { getDomain } from "tldts";
import { getBoot } from "#lib/settings/boot.ts";
import { isPublicAddress } from "../addresses.ts";
import { checkedLookup, NotPublic, requirePermitted } from "../checked-lookup.ts";
import { waitIn } from "../request.ts";
import { CalendarFault } from "./fault.ts";

export type CalendarLogin = { user: string; password: string } | { accessToken: string };

export type Question = {
  method: "GET" | "PROPFIND" | "REPORT";
  headers?: Readonly<Record<string, string>>;
  body?: string;
};

export type Answer = { status: number; url: URL; etag: string | null; text: string };

const TIMEOUT_MS = 30_000;
const MOST_BYTES = 24 * 1024 * 1024;
const MOST_REDIRECTS = 5;
const LATER_MS = 5 * 60_000;

/** Where a person's calendars are read: addresses of one site, which may have the credentials. */
export class Site {
  readonly #home: URL;
  readonly #login: CalendarLogin | null;
  readonly #signal: AbortSignal | undefined;

  /** `home`: the address that the person gave. */
  constructor(home: URL, login: CalendarLogin | null, signal?: AbortSignal) {
    this.#home = home;
    this.#login = login;
    this.#signal = signal;
  }

  /** Asks, and follows redirects; a login is only said to machines of the site that it is for. Throws `CalendarFault`. */
  async ask(url: URL, question: Question): Promise<Answer> {
    for (let at = url, left = MOST_REDIRECTS; ; left--) {
      const { answer, location } = await this.#askOnce(at, question);
      if (location === null) return answer;
      const next = URL.parse(location, at);
      if (!next || left === 0) throw new CalendarFault("not_calendar");
      at = next;
    }
  }

  async #askOnce(url: URL, question: Question): Promise<{ answer: Answer; location: string | null }> {
    const { PRIVATE_MAIL_SERVERS, REQUIRE_TLS } = getBoot().env;
    const isPrivate = PRIVATE_MAIL_SERVERS.includes(url.hostname.replace(/^\[|\]$/g, ""));
    const mayBePlain = isPrivate && REQUIRE_TLS !== "true";
    if (url.protocol !== "https:" && !(url.protocol === "http:" && mayBePlain)) throw new CalendarFault("tls");
    const permits = isPrivate ? () => true : isPublicAddress;
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = this.#signal ? AbortSignal.any([timeout, this.#signal]) : timeout;
    try {
      requirePermitted(url, permits);
      const response = await send(url, question, { ...this.#credentials(url) }, checkedLookup(permits), signal);
      const { statusCode: status = 0, headers } = response;
      const location = status >= 300 && status < 400 && status !== 304 ? (headers.location ?? null) : null;
      const text = await textOf(response);
      if (location !== null) return { answer: { status, url, etag: null, text }, location };
      if (status === 401 || (status === 403 && question.method !== "REPORT")) throw new CalendarFault("refused_login");
      if (status === 429 || status === 503)
        throw new CalendarFault("throttled", waitIn(headers["retry-after"] ?? null) ?? LATER_MS);
      if (status >= 500) throw new CalendarFault("unreachable");
      return { answer: { status, url, etag: headers.etag ?? null, text }, location: null };
    } catch (error) {
      throw faultOf(error, timeout.aborted);
    }
  }

  /** Only for machines of the site: another that an answer names gets none. */
  #credentials(url: URL): Record<string, string> {
    const same =
      url.host === this.#home.host || (isSecure(url) && siteOf(url) !== null && siteOf(url) === siteOf(this.#home));
    if (!this.#login || !same) return {};
    return {
      authorization:
        "accessToken" in this.#login
          ? `Bearer ${this.#login.accessToken}`
          : `Basic ${Buffer.from(`${this.#login.user}:${this.#login.password}`).toString("base64")}`,
    };
  }
}

const isSecure = (url: URL): boolean => url.protocol === "https:";
const siteOf = (url: URL): string | null => getDomain(url.hostname, { allowPrivateDomains: true });

function send(
  url: URL,
  { method, headers = {}, body }: Question,
  credentials: Record<string, string>,
  lookup: ReturnType<typeof checkedLookup>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const all = {
    "user-agent": "rapport",
    ...(body === undefined
      ? {}
      : { "content-type": "application/xml; charset=utf-8", "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
    ...credentials,
  };
  return new Promise((resolve, reject) => {
    const request = (isSecure(url) ? requestHttps : requestHttp)(
      url,
      { method, agent: false, lookup, signal, headers: all },
      resolve,
    );
    request.on("error", reject);
    request.end(body);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new CalendarFault("too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function faultOf(error: unknown, timedOut: boolean): CalendarFault {
  if (error instanceof CalendarFault) return error;
  if (error instanceof NotPublic) return new CalendarFault("private_address");
  if (error instanceof TypeError) throw error;
  const { code = "" } = error as NodeJS.ErrnoException;
  if (timedOut) return new CalendarFault("timeout");
  if (/^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/.test(code))
    return new CalendarFault("tls");
  return new CalendarFault("unreachable");
}
