import type { IncomingMessage } from "node:http";
import { isSecure } from "#lib/auth/cookies.ts";
import { getBoot } from "#lib/settings/boot.ts";

/** Headers of every answer: what is not a page of ours runs nothing, loads nothing and is in no frame. Pages replace the policy. */
export const plainHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
};

type HeaderSet = { own: Readonly<Record<string, string>>; common: Readonly<Record<string, string>> };
const setOf = (own: HeaderSet["own"]): HeaderSet => ({ own, common: { ...plainHeaders, ...own } });
const hsts = (more: string) => setOf({ "Strict-Transport-Security": `max-age=31536000${more}` });

/** Made once: every answer has one. */
const sets = { http: setOf({}), https: hsts(""), subdomains: hsts("; includeSubDomains") };

const setFor = (forwardedProto: string | undefined): HeaderSet => {
  if (!isSecure(forwardedProto)) return sets.http;
  return getBoot().env.HSTS_SUBDOMAINS === "true" ? sets.subdomains : sets.https;
};

/** Headers of every answer that depend on the connection: a browser that uses https must not use anything else. */
export const transportHeaders = (forwardedProto: string | undefined): Readonly<Record<string, string>> =>
  setFor(forwardedProto).own;

/** Both, of an answer to a request. */
export const commonHeaders = ({ headers }: Pick<IncomingMessage, "headers">): Readonly<Record<string, string>> =>
  setFor(headers["x-forwarded-proto"] as string | undefined).common;
