import { isSecure } from "#lib/auth/cookies.ts";

const HSTS: Readonly<Record<string, string>> = { "Strict-Transport-Security": "max-age=31536000" };
const NONE: Readonly<Record<string, string>> = {};

/** What every answer says of the connection it went over: a browser that came by https is to come by nothing else. */
export const transportHeaders = (forwardedProto: string | undefined): Readonly<Record<string, string>> =>
  isSecure(forwardedProto) ? HSTS : NONE;
