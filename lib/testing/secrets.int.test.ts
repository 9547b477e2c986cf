/**
 * No secret is in the log, in traces, answers of errors, exports, the audit log, the database or the process list. Those of outside systems, directories and
 * passkeys: `secrets-of-systems.int.test.ts`.
 */
import { trace } from "@opentelemetry/api";
import { Secret, TOTP } from "otpauth";
import { afterAll, expect, test } from "vitest";
import { insertPasswordReset } from "#lib/auth/queries/password-resets.ts";
import { mintLinkToken } from "#lib/auth/secret-tokens.ts";
import { signInWithPassword } from "#lib/auth/sign-in.ts";
import { withoutWorkspace } from "#lib/db/transaction.ts";
import { resetUserPassword } from "#lib/domain/workspace/users/service.ts";
import { getBoot, setBoot } from "#lib/settings/boot.ts";
import { sessionSecretsOf } from "#lib/settings/secrets.ts";
import { signedInBrowser } from "./browser.fixture.ts";
import { bootWith } from "./database.ts";
import { useLog } from "./log.fixture.ts";
import { oauthClient } from "./oauth.fixture.ts";
import { collectTraces, leaksOf, processes, stored } from "./secret-places.fixture.ts";
import { useServer } from "./server.fixture.ts";

const traces = await collectTraces();
bootWith({
  SIGNUPS: "open",
  OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
  HUBSPOT_API_URL: "http://127.0.0.1:9",
});

const boot = getBoot();
setBoot({
  ...boot,
  secrets: { ...boot.secrets, oldSessionSecrets: ["the session secret before this one, as it was"] },
});

const server = useServer();
const logged = useLog();
const client = oauthClient(server.url);
afterAll(traces.stop);

/** Everything that a person, a program and a client hold as a secret, by what it is; each was used well and badly. */
async function useSecrets() {
  const person = await signedInBrowser(server.url());
  const refusals: string[] = [];
  const send = async (path: string, body?: object, more: { method?: string; key?: string; as?: object } = {}) => {
    const { method, key, as } = more;
    const headers = key === undefined ? { ...person.headers(), ...as } : {};
    const answer = await server.call(path, {
      headers,
      ...(body ? { body } : {}),
      ...(method ? { method } : {}),
      ...(key ? { key } : {}),
    });
    person.keep(answer.headers);
    if (answer.status >= 400) refusals.push(JSON.stringify([[...answer.headers], answer.body]));
    return answer.body;
  };
  const secrets: Record<string, string> = { "the session": person.headers().cookie.split("=")[1] as string };

  secrets["the password"] = "correct horse battery";
  await send("/api/account/password", { current_password: "a wrong one of theirs", password: "passwordpassword" });
  secrets["a wrong password"] = "a wrong one of theirs";

  // A password that an operator's command made up, and one that its person chose in its place; then tries that are slowed down.
  const other = await signedInBrowser(server.url());
  const { password: madeUp } = await resetUserPassword(other.email, "root");
  const [chosen, guess] = ["a heron on the pylon", "an owl in the belfry"];
  const enter = (password: string, newPassword?: string) =>
    signInWithPassword({ email: other.email, password, newPassword, ip: "198.51.100.77" }).catch((error: unknown) =>
      refusals.push(String(error)),
    );
  await enter(madeUp);
  await enter(madeUp, "passwordpassword");
  await enter(madeUp, chosen);
  for (let n = 0; n < 6; n++) await enter(guess);
  expect(logged.text()).toContain("too many attempts");
  Object.assign(secrets, { "a made-up password": madeUp, "a chosen password": chosen, "a guessed password": guess });

  const { link } = await send(`${person.app}/invitations`, { role: "member" });
  secrets["the token of an invitation"] = String(link).split("/").at(-1) as string;
  await send(`/api/account/invitations/${secrets["the token of an invitation"]}`);
  await send(`/api/account/invitations/${secrets["the token of an invitation"]}/accept`, {});
  secrets["the token of no invitation"] = "n0Invitation000000000000000000000";
  await send(`/api/account/invitations/${secrets["the token of no invitation"]}/accept`, {});

  const { token, hash } = mintLinkToken();
  await withoutWorkspace((db) => insertPasswordReset(db, person.userId, hash, new Date(Date.now() + 60_000)));
  secrets["the token of a reset"] = token;
  await send("/api/account/password/reset", { token, password: "short" });

  const minted = await send(`${person.app}/api-keys`, { name: "Agent", scopes: ["admin"] });
  const key = minted.api_key as string;
  secrets["an API key"] = key.slice(11);
  await send("/v2/me", undefined, { key });
  await send("/v2/me", undefined, { key: key.slice(0, -1) });

  const login = await send("/api/cli/auth/start", { host: "a laptop" }, { as: { cookie: "" } });
  secrets["the code of a device"] = login.device_code as string;
  secrets["the code that a person types"] = login.user_code as string;
  await send(`/api/account/device-logins/${login.user_code}`);
  await send(`/api/account/device-logins/${login.user_code}/approve`, { workspace_id: person.workspaceId });
  secrets["the key of a login"] = String(
    (await send("/api/cli/auth/poll", { device_code: login.device_code })).api_key,
  ).slice(11);

  const { clientId, code, secret: verifier, tokens } = await client.connect(person);
  await client.ask(tokens.access_token);
  await client.refresh(clientId, tokens.refresh_token);
  await client.exchange(clientId, code, `${verifier}x`);
  await client.ask(`${tokens.access_token}x`);
  Object.assign(secrets, {
    code,
    verifier,
    "an access token": tokens.access_token,
    "a refresh token": tokens.refresh_token,
  });

  const { secret } = await send(
    "/v2/workspace/triggers",
    { url: "https://acme.example/hook", events: ["contact.created"] },
    { key },
  );
  secrets["the secret of a trigger"] = String(secret).replace("whsec_", "");

  secrets["the credentials of a provider"] = "pat-eu1-no-one-may-read-this-token";
  const credentials = { provider: "hubspot", credentials: { access_token: secrets["the credentials of a provider"] } };
  await send("/v2/workspace/integrations", credentials, { key });
  await send(`${person.app}/integrations/test`, credentials);
  secrets["the address of an inbox"] = "aNameOfAnInboxThatNoOneKnows0000";
  await send(`/inbound/cal-com/${secrets["the address of an inbox"]}`, { a: 1 }, { as: { cookie: "" } });

  const factor = await send("/api/account/second-factor", {});
  secrets["the seed of codes"] = factor.secret as string;
  await send("/api/account/second-factor/confirm", { code: "000000" });
  const confirmed = await send("/api/account/second-factor/confirm", {
    code: new TOTP({ secret: Secret.fromBase32(String(factor.secret)) }).generate(),
  });
  const codes = confirmed.recovery_codes as string[];
  for (const each of codes) secrets[`the recovery code ${codes.indexOf(each)}`] = each;
  await send("/api/account/confirm", { code: codes[0] });
  secrets["the session's next token"] = person.headers().cookie.split("=")[1] as string;
  expect(secrets["the session's next token"]).not.toBe(secrets["the session"]);
  return { person, key, secrets, refusals, send };
}

test("a secret that was used, well or badly, is nowhere but with who holds it", async () => {
  const { person, key, secrets, refusals, send } = await useSecrets();
  // As Next traces a page whose address has a token.
  const page = { "http.target": `/reset-password?token=${secrets["the token of a reset"]}` };
  trace.getTracer("next.js").startSpan("GET", { attributes: page }).end();
  const exported = await fetch(`${server.url()}${person.app}/export`, { headers: person.headers() }).then((answer) =>
    answer.text(),
  );
  const audit = await fetch(`${server.url()}/v2/audit-log?format=ndjson`, {
    headers: { authorization: `Bearer ${key}` },
  }).then((answer) => answer.text());
  const shown = JSON.stringify([
    await send(`${person.app}/api-keys`),
    await send("/v2/workspace/triggers", undefined, { key }),
    await send("/v2/workspace/integrations", undefined, { key }),
    await send("/api/account/profile"),
  ]);
  const rows = await stored();
  const list = processes();
  await server.stop();

  const { encryptionKeys, ...ofSessions } = getBoot().secrets;
  const kept = {
    ...secrets,
    ...Object.fromEntries(
      sessionSecretsOf({ ...ofSessions, encryptionKeys }).map((each, n) => [`session secret ${n}`, each]),
    ),
    "the encryption key": String(encryptionKeys[0]?.key.toString("base64")),
  };
  for (const [name, secret] of Object.entries(kept)) expect(secret.length, name).toBeGreaterThan(8);
  const places = {
    "the log": logged.text(),
    traces: traces.text(),
    errors: refusals.join("\n"),
    "the export": exported,
    "the audit log": audit,
    "what is shown later": shown,
    "the database": rows,
    "the process list": list,
  };
  expect(traces.text()).toContain("/api/account/invitations/:token/accept");
  expect(exported).toContain("Acme");
  expect(audit).toContain("api_key.minted");
  expect(refusals.length).toBeGreaterThan(8);
  expect(leaksOf(kept, places)).toEqual([]);
});
