import { decode } from "next-auth/jwt";
import { getBoot } from "#lib/settings/boot.ts";
import { sessionSecretsOf } from "#lib/settings/secrets.ts";

/** What our cookies are sealed with (`dir` and A256GCM), as each begins. For such a key jose would take other algorithms too. */
const SEALED = `${Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString("base64url")}.`;

/** The content of a cookie of next-auth, by any of our secrets; null for anything else. `salt`: the cookie's, where it has one of its own. */
export async function openToken({ token, salt = "" }: { token?: string | undefined; salt?: string | undefined }) {
  if (!token?.startsWith(SEALED)) return null;
  for (const secret of sessionSecretsOf(getBoot().secrets)) {
    const payload = await decode({ token, secret, salt }).catch(() => null);
    if (payload) return payload;
  }
  return null;
}
