import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { callbackUrlIn, hasOldSessionOnly, isSecure } from "#lib/auth/cookies.ts";
import { authOptions } from "#lib/auth/next-auth.ts";
import { readSession } from "#lib/auth/sessions.ts";
import { errorBody, Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import { groupsAtSignIn } from "#lib/domain/access/directory/service.ts";
import { endAccessEverywhere, PROVEN } from "#lib/domain/access/members/service.ts";
import { notingSignIns } from "#lib/domain/records/audit/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { originOf } from "./origin.ts";
import { awayAnswer } from "./pages.ts";
import { requireSameOrigin } from "./same-origin.ts";

type Context = { params: Promise<{ nextauth: string[] }> };

/** next-auth's own addresses under /api/auth, served by Next. Its errors go to our log, not to an open `_log` address. */
export async function authRoute(request: NextRequest, context: Context): Promise<Response> {
  trustOwnAddress();
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const requestId = header("x-request-id") ?? newId();
  try {
    requireSameOrigin({ method: request.method, header });
  } catch (error) {
    const fault = error instanceof Fault ? error : new Fault("origin_not_allowed");
    log.warn(
      { request_id: requestId, path: request.nextUrl.pathname, code: fault.code },
      "a sign-in request was refused",
    );
    return Response.json(errorBody(fault, requestId), { status: fault.status });
  }
  const [action] = (await context.params).nextauth;
  if (action === "signin") keepOwnQuestions(request.nextUrl.searchParams);
  if (action === "_log") return new Response(null, { status: 204 });
  let away = false;
  const ip = header("x-forwarded-for") ?? null;
  const from = { ip: ip ?? "unknown", requestId };
  const options = authOptions({
    noteAway: () => {
      away = true;
    },
    ip,
    userAgent: header("user-agent") ?? null,
    address: originOf({ header }),
    secure: isSecure(header("x-forwarded-proto")),
    endsOldSession: action === "signout" && hasOldSessionOnly(header("cookie")),
    callbackUrl: callbackUrlIn(header("cookie")),
    before: () => readSession(header),
    groups: groupsAtSignIn(from),
    endAccess: (userId) => endAccessEverywhere(userId, PROVEN, from),
    ...notingSignIns(from),
  });
  const answer: Response = await NextAuth(request, context, options);
  if (!away) return answer;
  // next-auth treats any failure as an ended session or wrong credentials, and would delete the cookie.
  const { headers, body } = awayAnswer({
    method: request.method,
    accept: header("accept") ?? "",
    forwardedProto: header("x-forwarded-proto"),
    requestId,
  });
  return new Response(body, { status: 503, headers });
}

/**
 * next-auth asks the provider whatever the address of `signin` says too. A visitor may only add that the person is asked again: else they could
 * take back what the server asks for, such as when that was.
 */
export function keepOwnQuestions(parameters: URLSearchParams): void {
  for (const [name, value] of [...parameters])
    if (name !== "prompt" || value !== "login") parameters.delete(name, value);
}

/** next-auth learns its own address from these: APP_URL, else the host the request was sent to. */
function trustOwnAddress(): void {
  const { APP_URL } = getBoot().env;
  if (APP_URL) process.env.NEXTAUTH_URL = APP_URL;
  else process.env.AUTH_TRUST_HOST = "true";
}
