import { getBoot } from "#lib/settings/boot.ts";

const NAME = "next-auth.session-token";
/** The cookie name that next-auth uses on https. */
const SECURE_NAME = `__Secure-${NAME}`;

/**
 * The session tokens of a Cookie header, the https one first. next-auth splits a long token into `<name>.0`, `<name>.1`, …
 */
export function sessionTokensIn(cookieHeader: string | undefined): string[] {
  if (!cookieHeader?.includes(NAME)) return [];
  const tokens: string[] = [];
  for (const name of [SECURE_NAME, NAME]) {
    const whole = cookies(cookieHeader).find(([key]) => key === name)?.[1];
    const chunks = cookies(cookieHeader)
      .filter(([key]) => key.startsWith(`${name}.`) && /^\d{1,2}$/.test(key.slice(name.length + 1)))
      .sort(([a], [b]) => Number(a.slice(name.length + 1)) - Number(b.slice(name.length + 1)))
      .map(([, value]) => value)
      .join("");
    const token = whole || chunks;
    if (token) tokens.push(token);
  }
  return tokens;
}

const cookies = (header: string): [name: string, value: string][] =>
  header.split(";").map((pair) => {
    const mark = pair.indexOf("=");
    return mark < 0 ? [pair.trim(), ""] : [pair.slice(0, mark).trim(), pair.slice(mark + 1).trim()];
  });

/** Where a sign-in with a provider leads back to; next-auth keeps it in a cookie. */
export function callbackUrlIn(cookieHeader: string | undefined): string | null {
  const value = /(?:^|;\s*)(?:__Secure-)?next-auth\.callback-url=([^;]+)/.exec(cookieHeader ?? "")?.[1];
  try {
    return value ? decodeURIComponent(value) : null;
  } catch {
    return null;
  }
}

/** True when the browser uses https, according to APP_URL or a trusted proxy. */
export function isSecure(forwardedProto: string | null | undefined): boolean {
  const { APP_URL, TRUST_PROXY } = getBoot().env;
  if (APP_URL) return APP_URL.startsWith("https:");
  return TRUST_PROXY > 0 && forwardedProto?.split(",")[0]?.trim() === "https";
}
