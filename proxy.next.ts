import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { isSecure } from "#lib/auth/cookies.ts";
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
  if (isUuid(workspace) && request.cookies.get("rapport-workspace")?.value !== workspace) {
    response.cookies.set("rapport-workspace", workspace, {
      httpOnly: true,
      sameSite: "lax",
      secure,
      path: "/",
      maxAge: YEAR_SECONDS,
    });
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
