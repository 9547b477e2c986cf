import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { writeAtomically } from "#lib/settings/write-atomically.ts";
import { CommandFailure, NOT_SIGNED_IN } from "./failure.ts";

/** What `rapport login` keeps. */
export type SignIn = { url: string; api_key: string; workspace_id: string };

/** `keyFrom`: for messages. */
export type Credentials = { url: string; key: string; keyFrom: string };

type Env = Readonly<Record<string, string | undefined>>;

const DEFAULT_URL = "http://localhost:3000";

/** Where the sign-in is kept: in the folder that XDG_CONFIG_HOME names, else in ~/.config. */
export function signInFile(env: Env = process.env): string {
  const { XDG_CONFIG_HOME: given } = env;
  const folder = given && path.isAbsolute(given) ? given : path.join(homedir(), ".config");
  return path.join(folder, "rapport", "config.json");
}

/** The sign-in of this machine; null when there is none. */
export function readSignIn(env: Env = process.env): SignIn | null {
  const file = signInFile(env);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new CommandFailure(1, "cannot_run", `${file} cannot be read (${(error as Error).message}).`);
  }
  try {
    const { url, api_key, workspace_id } = JSON.parse(text) as SignIn;
    if ([url, api_key, workspace_id].every((each) => typeof each === "string")) return { url, api_key, workspace_id };
  } catch {
    // said below
  }
  throw new CommandFailure(1, "cannot_run", `${file} is damaged: delete it and run \`rapport login\`.`);
}

/** Makes the folder that only this person may look into; before a login, so that its key can be kept. */
export function prepareFolder(env: Env = process.env): void {
  const folder = path.dirname(signInFile(env));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CommandFailure(1, "cannot_run", `${folder} cannot be made (${(error as Error).message}).`);
  }
}

/** Keeps a sign-in, in a file that only this person may read. */
export function keepSignIn(signIn: SignIn, env: Env = process.env): void {
  prepareFolder(env);
  writeAtomically(signInFile(env), `${JSON.stringify(signIn, null, 2)}\n`, { mode: 0o600 });
}

export const forgetSignIn = (env: Env = process.env): void => rmSync(signInFile(env), { force: true });

/** The server's address, from `--url`, RAPPORT_URL, the sign-in, or this machine's standard one. */
export const serverUrl = (url: string | undefined, signIn: SignIn | null, env: Env = process.env): string =>
  originIn(url ?? (env.RAPPORT_URL || signIn?.url || DEFAULT_URL));

/** The origin of an address as people write it: without a scheme it is https, on this machine http. */
export function originIn(text: string): string {
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/i.test(text);
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isLocal ? "http" : "https"}://${text}`);
  if (url && (url.protocol === "https:" || url.protocol === "http:") && url.username === "") return url.origin;
  throw new CommandFailure(2, "usage", `"${text}" is no address of a server, such as https://rapport.example.com.`);
}

/**
 * The server and the key for it. RAPPORT_API_KEY wins over the sign-in; the sign-in's key is sent to no other server than
 * the one that gave it.
 */
export function credentials(server: string | undefined, env: Env = process.env): Credentials {
  const { RAPPORT_API_KEY: key, RAPPORT_URL } = env;
  const isComplete = key && (server ?? RAPPORT_URL); // then the file is not needed, and need not be right
  const signIn = isComplete ? null : readSignIn(env);
  const url = serverUrl(server, signIn, env);
  if (key) return { url, key: key.trim(), keyFrom: "RAPPORT_API_KEY" };
  if (signIn && originIn(signIn.url) === url) return { url, key: signIn.api_key, keyFrom: signInFile(env) };
  const where = signIn ? `You are signed in to ${signIn.url}, not to ${url}.` : "You are not signed in.";
  throw new CommandFailure(3, "not_signed_in", `${where} ${NOT_SIGNED_IN}`);
}
