import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Option } from "commander";
import type { Scope } from "#lib/core/plans.ts";
import type { Result } from "../answer.ts";
import { canOpenPages, openPage } from "../browser.ts";
import type { Fill } from "../command.ts";
import { keepSignIn, prepareFolder, readSignIn, type SignIn, serverUrl } from "../credentials.ts";
import { CommandFailure } from "../failure.ts";
import { send } from "../request.ts";
import { bold, harmless, spinning } from "../terminal.ts";
import { scopeList } from "../values.ts";
import { type Me, meText, readMe } from "./status.ts";

type Options = { url?: string; scopes?: Scope[]; browser: boolean };
type LoginStart = {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  interval: number;
  expires_in: number;
};
type LoginStatus = { status: string; api_key?: string; workspace_id?: string };

export const fill: Fill = (command, perform, client) => {
  command
    .option("--url <url>", "the server; else RAPPORT_URL, else where you signed in last, else http://localhost:3000")
    .addOption(new Option("--scopes <scopes>", "what to ask for: read, write, admin").argParser(scopeList))
    .option("--no-browser", "do not open the page; print its address only")
    .option("--json", "print the JSON of GET /v2/me")
    .action((options: Options) => perform(() => login(options, client)));
};

async function login({ url: given, scopes, browser }: Options, client: string): Promise<Result> {
  const url = serverUrl(given, readSignInIfAny());
  prepareFolder();
  const started = await start(url, scopes, client);
  show(started, url);
  if (browser && canOpenPages()) await openPage(started.verification_uri_complete);
  const signIn = await spinning("Waiting for your decision in the browser", untilDecided(started, url, client));
  await keep(signIn, client);
  const { raw, value } = await readMe({ url, key: signIn.api_key, keyFrom: "this login" }, client);
  return { raw, text: `Signed in to ${bold(harmless(value).workspace.name)}.\n${meText(harmless(value) as Me, url)}` };
}

const start = async (url: string, scopes: Scope[] | undefined, client: string): Promise<LoginStart> => {
  const body = { host: hostname(), ...(scopes ? { scopes } : {}) };
  return (await send<LoginStart>({ method: "POST", url, path: "/api/cli/auth/start", body, client })).value;
};

function show({ user_code, verification_uri_complete, expires_in }: LoginStart, url: string): void {
  const isOpen = url.startsWith("http:") && !/^http:\/\/(localhost|127\.|\[::1\])/.test(url);
  if (isOpen) process.stderr.write(`${url} is not encrypted: others on the network can read your key.\n`);
  const minutes = Math.round(expires_in / 60);
  process.stderr.write(
    `Open this page within ${minutes} minutes, and compare the code:\n\n  ${harmless(verification_uri_complete)}\n\n  ${harmless(user_code)}\n\n`,
  );
}

/** Polls until a person has decided or the codes have expired; a server that is away for a moment is asked again. */
async function untilDecided(started: LoginStart, url: string, client: string): Promise<SignIn> {
  const until = Date.now() + started.expires_in * 1_000;
  const { device_code } = started;
  let interval = started.interval;
  while (Date.now() < until) {
    await sleep(interval * 1_000);
    const polled = await poll(url, device_code, client);
    interval = polled.interval ?? interval;
    const { status, api_key, workspace_id } = polled;
    if (status === "approved" && api_key && workspace_id) return { url, api_key, workspace_id };
    if (status === "denied") throw new CommandFailure(1, "denied", "The login was denied in the browser.");
    if (status === "consumed")
      throw new CommandFailure(
        1,
        "consumed",
        "The key of this login was handed out before. Run `rapport login` again.",
      );
    if (status === "expired") break;
  }
  throw new CommandFailure(1, "expired", "The login was not approved in time. Run `rapport login` again.");
}

async function poll(url: string, device_code: string, client: string): Promise<LoginStatus & { interval?: number }> {
  try {
    const body = { device_code };
    return (await send<LoginStatus>({ method: "POST", url, path: "/api/cli/auth/poll", body, client })).value;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    if (error.exit === 6) return { status: "pending" };
    if (error.code !== "slow_down" && error.code !== "rate_limited") throw error;
    const { interval, retry_after } = JSON.parse(error.answer ?? "{}") as { interval?: number; retry_after?: number };
    return { status: "pending", interval: interval ?? retry_after ?? 10 };
  }
}

/** Keeps the new sign-in, and ends the key of the one it takes the place of. A key that cannot be kept is ended too. */
async function keep(signIn: SignIn, client: string): Promise<void> {
  const before = readSignInIfAny();
  try {
    keepSignIn(signIn);
  } catch (error) {
    await endKey(signIn, client).catch(() => undefined);
    throw new CommandFailure(1, "cannot_run", `The sign-in could not be kept (${(error as Error).message}).`);
  }
  if (before && before.api_key !== signIn.api_key) await endKey(before, client).catch(() => undefined);
}

/** A damaged file is replaced. */
function readSignInIfAny(): SignIn | null {
  try {
    return readSignIn();
  } catch {
    return null;
  }
}

/** Revokes the key of a sign-in at its server. */
export const endKey = ({ url, api_key }: SignIn, client: string) =>
  send<{ revoked: boolean }>({ method: "POST", url, path: "/api/cli/auth/revoke", body: { api_key }, client });
