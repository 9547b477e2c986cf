import type { IncomingMessage } from "node:http";
import { isSecure } from "#lib/auth/cookies.ts";
import { getBoot } from "#lib/settings/boot.ts";

const hsts = (more: string): Readonly<Record<string, string>> => ({
  "Strict-Transport-Security": `max-age=31536000${more}`,
});
const OF_HOST = hsts("");
const OF_ALL = hsts("; includeSubDomains");
const NONE: Readonly<Record<string, string>> = {};

/** Headers of every answer: what is not a page of ours runs nothing, loads nothing and is in no frame. Pages replace the policy. */
export const plainHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
};

const overHttps = () => (getBoot().env.HSTS_SUBDOMAINS === "true" ? OF_ALL : OF_HOST);

/** Headers of every answer that depend on the connection: a browser that uses https must not use anything else. */
export const transportHeaders = (forwardedProto: string | undefined): Readonly<Record<string, string>> =>
  isSecure(forwardedProto) ? overHttps() : NONE;

/** Both, of an answer to a request. */
export const commonHeaders = ({ headers }: Pick<IncomingMessage, "headers">): Readonly<Record<string, string>> => ({
  ...plainHeaders,
  ...transportHeaders(headers["x-forwarded-proto"] as string | undefined),
});
