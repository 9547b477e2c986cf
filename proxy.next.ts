import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { COOKIE_SECONDS, cookieName, isSecure, LAST_WORKSPACE, renamedCookies } from "#lib/auth/cookies.ts";
import { isUuid } from "#lib/core/ids.ts";
import { contentSecurityPolicy, pageHeaders } from "#lib/http/page-headers.ts";

const YEAR_SECONDS = 31_536_000;

/**
 * Runs before every page: its security headers, what the page must know about the request, and the last workspace seen.
 */
export function proxy(request: NextRequest): NextResponse {
  const secure = isSecure(request.headers.get("x-forwarded-proto"));
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce, { dev: process.env.NODE_ENV === "development" });
  const { pathname, search } = request.nextUrl;

  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("x-pathname", `${pathname}${search}`);
  // Next reads the nonce for its own scripts from here.
  headers.set("content-security-policy", policy);

  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  for (const [name, value] of Object.entries(pageHeaders)) response.headers.set(name, value);

  const workspace = pathname.split("/")[1] ?? "";
  const kept = { httpOnly: true, sameSite: "lax", secure, path: "/" } as const;
  const last = cookieName(LAST_WORKSPACE, secure);
  if (isUuid(workspace) && request.cookies.get(last)?.value !== workspace)
    response.cookies.set(last, workspace, { ...kept, maxAge: YEAR_SECONDS });
  if (secure)
    for (const { old, name } of renamedCookies(request.cookies.getAll().map((each) => each.name))) {
      const value = request.cookies.get(old)?.value;
      if (name && value) response.cookies.set(name, value, { ...kept, maxAge: COOKIE_SECONDS });
      response.cookies.set(old, "", { ...kept, maxAge: 0 });
    }
  return response;
}

/**
 * Pages only: the front answers API addresses, Next serves files. Files of the public folder are at the top, so that a record's page
 * under an e-mail address or a domain is a page.
 */
export const config = {
  matcher: ["/((?!v2/|api/|mcp|inbound/|_next/|healthz|readyz|[^/]+\\.[a-z0-9]+$).*)"],
};
