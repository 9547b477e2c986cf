/** What the session cookie is sealed with: while SESSION_SECRET changes, and with what it never was. */
import { hkdfSync } from "node:crypto";
import { EncryptJWT } from "jose";
import { afterAll, beforeEach, expect, test } from "vitest";
import { getBoot, setBoot } from "#lib/settings/boot.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith } from "#lib/testing/database.ts";
import { mintChallenge, takeChallenge } from "./passkey-challenges.ts";
import { readSession } from "./sessions.ts";

const HERE = "http://localhost:3000";
const NEW = "another session secret, which takes its place";

beforeEach(() => bootWith({ SIGNUPS: "open" }));
afterAll(() => bootWith());

/** From now on this secret seals, and those open too. */
function rotateTo(sessionSecret: string, ...oldSessionSecrets: string[]): void {
  const boot = getBoot();
  setBoot({ ...boot, secrets: { ...boot.secrets, sessionSecret, oldSessionSecrets } });
}

const sessionOf = (cookie: string) => readSession((name) => (name === "cookie" ? cookie : null));

test("a session goes on under a new secret while the one before stands behind it, and ends without it", async () => {
  const { headers, sessionId } = await signedInBrowser(HERE);
  const before = getBoot().secrets.sessionSecret;
  const challenge = () => mintChallenge({ sessionId, purpose: "use" }).toString("base64url");
  const minted = [challenge(), challenge()] as const;
  rotateTo(NEW, before);
  expect(await sessionOf(headers().cookie)).toMatchObject({ id: sessionId });
  expect(await takeChallenge(minted[0], { sessionId, purpose: "use" })).toBe(true);
  const after = await signedInBrowser(HERE);
  rotateTo(NEW);
  expect(await sessionOf(headers().cookie)).toBeNull();
  expect(await takeChallenge(minted[1], { sessionId, purpose: "use" })).toBe(false);
  expect(await sessionOf(after.headers().cookie)).toMatchObject({ id: after.sessionId });
});

test("a cookie of another algorithm is refused, even with the right key", async () => {
  const { userId: sub, sessionId: sid } = await signedInBrowser(HERE);
  const info = "NextAuth.js Generated Encryption Key";
  const key = new Uint8Array(hkdfSync("sha256", getBoot().secrets.sessionSecret, "", info, 32));
  const sealedBy = async (alg: string) => {
    const token = new EncryptJWT({ sub, sid }).setProtectedHeader({ alg, enc: "A256GCM" }).setExpirationTime("1h");
    return sessionOf(`next-auth.session-token=${await token.encrypt(key)}`);
  };
  expect(await sealedBy("dir")).toMatchObject({ id: sid });
  expect(await sealedBy("A256GCMKW")).toBeNull();
  expect(await sealedBy("A256KW")).toBeNull();
});
