import { encode } from "next-auth/jwt";
import { signUp } from "#lib/domain/workspace/users/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { signedIn, stranger } from "./visitor.fixture.ts";

/** The number of pieces the cookie is sent in, what it is sealed with, and the prefix of its name. */
export type CookieKind = { chunks?: number; secret?: string; prefix?: "" | "__Host-" | "__Secure-" };

let count = 0;

type SessionIds = { userId: string; sessionId: string };

const tokenOf = ({ userId: sub, sessionId: sid }: SessionIds, secret = getBoot().secrets.sessionSecret) =>
  encode({ token: { sub, sid }, secret });

/** What a browser with this session sends to the server at `url`. */
export async function headersOf(url: string, session: SessionIds) {
  return browserWith(url, `next-auth.session-token=${await tokenOf(session)}`);
}

function browserWith(url: string, first: string) {
  let cookie = first;
  return {
    headers: () => ({ cookie, origin: url, "sec-fetch-site": "same-origin" }),
    /** Takes the session's cookie that an answer sets. */
    keep(answer: Headers): void {
      cookie = answer.get("set-cookie")?.split(";")[0] ?? cookie;
    },
  };
}

/**
 * A person who has signed up and signed in, and the headers their browser sends to the server at `url`. Sign-ups must
 * be open.
 */
export async function signedInBrowser(
  url: string,
  { chunks = 1, secret = getBoot().secrets.sessionSecret, prefix = "" }: CookieKind = {},
) {
  const email = `person${++count}@acme.example`;
  const account = { email, password: "correct horse battery", workspace_name: "Acme" };
  const { user_id: userId, workspace_id: workspaceId } = await signUp.execute(stranger(`203.0.113.${count}`), account);
  const { session } = await signedIn(userId);
  const token = await tokenOf({ userId, sessionId: session.id }, secret);
  const name = `${prefix}next-auth.session-token`;
  const size = Math.ceil(token.length / chunks);
  const cookie =
    chunks === 1
      ? `${name}=${token}`
      : Array.from({ length: chunks }, (_, n) => `${name}.${n}=${token.slice(n * size, (n + 1) * size)}`).join("; ");
  const app = `/api/app/${workspaceId}`;
  return { userId, workspaceId, sessionId: session.id, email, app, ...browserWith(url, cookie) };
}
