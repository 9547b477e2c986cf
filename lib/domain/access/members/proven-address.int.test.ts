/** What someone approved under an address ends when its owner proves it: until then another may have used it. */
import { beforeAll, expect, test } from "vitest";
import { backgroundDone } from "#lib/auth/background.ts";
import { signInWithProvider } from "#lib/auth/provider-sign-in.ts";
import { insertPasswordReset } from "#lib/auth/queries/password-resets.ts";
import { mintLinkToken } from "#lib/auth/secret-tokens.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { endUserSessions, resetPassword } from "#lib/domain/workspace/users/service.ts";
import { signedInBrowser } from "#lib/testing/browser.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { oauthClient } from "#lib/testing/oauth.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { stranger } from "#lib/testing/visitor.fixture.ts";
import { endAccessEverywhere, PROVEN } from "./service.ts";

const server = useServer();
const oauth = oauthClient(server.url);
const from = { requestId: "a-request", ip: "203.0.113.9" };

beforeAll(() => bootWith({ SIGNUPS: "open" }));

type Person = Awaited<ReturnType<typeof signedInBrowser>>;

/** Sets a password by a link that was mailed. */
async function byMail({ userId }: Person): Promise<void> {
  const { token, hash } = mintLinkToken();
  await withoutWorkspace((db) => insertPasswordReset(db, userId, hash, new Date(Date.now() + 60_000)));
  await resetPassword.execute(stranger(), { token, password: "a brand new password" });
}

async function byProvider({ email }: Person): Promise<void> {
  const vouched = { provider: "google", id: email, name: null, email };
  await signInWithProvider(vouched, null, { endAccess: (userId) => endAccessEverywhere(userId, PROVEN, from) });
}

const approve = async ({ workspaceId, headers }: Person, user_code: unknown) =>
  server.call(`/api/account/device-logins/${user_code}/approve`, {
    ...{ headers: headers(), body: { workspace_id: workspaceId } },
  });

/** A client, the key of a login, a program that was let in and has no key yet, and an invitation. */
async function withAccess(person: Person) {
  const { tokens } = await oauth.connect(person);
  const start = async () => (await server.call("/api/cli/auth/start", { body: {} })).body;
  const poll = async (device_code: unknown) =>
    (await server.call("/api/cli/auth/poll", { body: { device_code } })).body;
  const [login, late] = [await start(), await start()];
  await approve(person, login.user_code);
  const key = String((await poll(login.device_code)).api_key);
  await approve(person, late.user_code);
  const invited = await server.call(`${person.app}/invitations`, {
    headers: person.headers(),
    body: { role: "member" },
  });
  expect(invited.status).toBe(201);
  const works = async () => [
    (await oauth.ask(tokens.access_token)).status,
    (await server.call("/v2/me", { key })).status,
  ];
  return { works, late: () => poll(late.device_code) };
}

const openInvitations = ({ workspaceId }: Person) =>
  inspect("SELECT 1 FROM invitations WHERE workspace_id = $1 AND revoked_at IS NULL", [workspaceId]);

test.each([
  ["a sign-in with a provider", byProvider],
  ["a password that is set by mail", byMail],
])("%s ends clients, keys of logins and invitations of the people who used the address before", async (_how, prove) => {
  const person = await signedInBrowser(server.url());
  const { works, late } = await withAccess(person);
  expect(await works()).toEqual([200, 200]);
  await prove(person);
  expect(await works()).toEqual([401, 401]);
  expect(await late()).toEqual({ status: "denied" });
  expect(await openInvitations(person)).toEqual([]);
  const log = await inspect<{ action: string }>(
    "SELECT action FROM audit_log WHERE workspace_id = $1 AND action LIKE ANY ($2) ORDER BY id",
    [person.workspaceId, ["api_key.revoked", "client.disconnected", "invitation.revoked"]],
  );
  expect(log.map(({ action }) => action).sort()).toEqual([
    ...["api_key.revoked", "client.disconnected", "invitation.revoked"],
  ]);
});

test("an operator signs a person out everywhere, with all that acts for them", async () => {
  const person = await signedInBrowser(server.url());
  const { works, late } = await withAccess(person);
  expect(await endUserSessions(person.email.toUpperCase(), "root")).toEqual({ email: person.email, ended_sessions: 1 });
  expect(await works()).toEqual([401, 401]);
  expect(await late()).toEqual({ status: "denied" });
  expect((await server.call(`${person.app}/members`, { headers: person.headers() })).status).toBe(401);
  await backgroundDone();
  const log = await inspect(
    "SELECT action, actor, detail FROM audit_log WHERE workspace_id = $1 AND actor = 'cli:root' ORDER BY action",
    [person.workspaceId],
  );
  expect(log).toMatchObject([
    { action: "api_key.revoked" },
    { action: "client.disconnected", detail: { why: "the operator ended its member's sessions" } },
    { action: "invitation.revoked" },
    { action: "user.sessions_ended", detail: { ended_sessions: 1, by: "operator" } },
  ]);
});

test.each([
  ["a provider", byProvider],
  ["a new password by mail", byMail],
])("they go on with %s once the address is proven", async (_how, prove) => {
  const person = await signedInBrowser(server.url());
  await inspect("UPDATE users SET email_verified_at = now() WHERE id = $1", [person.userId]);
  const { works } = await withAccess(person);
  await prove(person);
  expect(await works()).toEqual([200, 200]);
  expect(await openInvitations(person)).toHaveLength(1);
});
