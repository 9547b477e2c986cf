import { getBoot } from "#lib/settings/boot.ts";

/** The session's row has its end, which moves with use; the cookie lasts longer, as long as browsers allow. */
export const COOKIE_SECONDS = 400 * 86_400;

const SESSION = "next-auth.session-token";
/** The session's cookie as releases before 0.2.0 named it on https. Read until 0.3.0, and renamed by the first page (`proxy.next.ts`). */
const OLD_SESSION = `__Secure-${SESSION}`;

/** A cookie's name: on https with the prefix that makes browsers take it from this host alone, and only over https. */
export const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name);

/** The cookies of next-auth on https, for its options: its own have a weaker prefix, or none. */
export const hostCookies = {
  sessionToken: hostCookie(SESSION),
  callbackUrl: hostCookie("next-auth.callback-url"),
  pkceCodeVerifier: hostCookie("next-auth.pkce.code_verifier", { maxAge: 900 }),
  state: hostCookie("next-auth.state", { maxAge: 900 }),
  nonce: hostCookie("next-auth.nonce", { maxAge: 900 }),
};

/** The header that gives a browser another token of its session. */
export function sessionCookie(token: string, secure: boolean): string {
  const attributes = `Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  return `${cookieName(SESSION, secure)}=${token}; ${attributes}`;
}

/** As `hostCookies`, for the sign-out of a page that a release before 0.2.0 served: its session's cookie has the old name until a page is loaded. */
export const oldCookies = { ...hostCookies, sessionToken: { ...hostCookies.sessionToken, name: OLD_SESSION } };

/** Whether a browser has its session under the old name alone. */
export const hasOldSessionOnly = (cookieHeader: string | undefined): boolean => {
  const names = cookies(cookieHeader ?? "").map(([name]) => name);
  return renamedCookies(names).some(({ name }) => name !== null);
};

function hostCookie(name: string, more: { maxAge?: number } = {}) {
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure: true, ...more } as const;
  return { name: cookieName(name, true), options };
}

/**
 * The session tokens of a Cookie header, the newest name first; on https never one that a page without encryption could have set. next-auth
 * splits a long token into `<name>.0`, `<name>.1`, …
 */
export function sessionTokensIn(cookieHeader: string | undefined, secure: boolean): string[] {
  if (!cookieHeader?.includes(SESSION)) return [];
  const tokens: string[] = [];
  for (const name of secure ? [cookieName(SESSION, true), OLD_SESSION] : [SESSION]) {
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

/** What becomes of cookies under the old name: each with its new one, or with null where the browser has that already. */
export function renamedCookies(names: readonly string[]): { old: string; name: string | null }[] {
  const renewed = names.some((each) => each.startsWith(cookieName(SESSION, true)));
  return names
    .filter((each) => each.startsWith(OLD_SESSION))
    .map((old) => ({ old, name: renewed ? null : cookieName(old.slice("__Secure-".length), true) }));
}

/** The cookie of the last workspace that was open. */
export const LAST_WORKSPACE = "rapport-workspace";

/** The last workspace that was open in the browser that sends these headers. */
export function lastWorkspaceIn(header: (name: string) => string | null | undefined): string | undefined {
  const name = cookieName(LAST_WORKSPACE, isSecure(header("x-forwarded-proto")));
  return cookies(header("cookie") ?? "").find(([key]) => key === name)?.[1];
}

const cookies = (header: string): [name: string, value: string][] =>
  header.split(";").map((pair) => {
    const mark = pair.indexOf("=");
    return mark < 0 ? [pair.trim(), ""] : [pair.slice(0, mark).trim(), pair.slice(mark + 1).trim()];
  });

/** Where a sign-in with a provider leads back to; next-auth keeps it in a cookie. */
export function callbackUrlIn(cookieHeader: string | undefined): string | null {
  const value = /(?:^|;\s*)(?:__Host-)?next-auth\.callback-url=([^;]+)/.exec(cookieHeader ?? "")?.[1];
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
