import type { Result } from "../answer.ts";
import { table } from "../answer.ts";
import type { Fill } from "../command.ts";
import { type Credentials, credentials } from "../credentials.ts";
import { send } from "../request.ts";
import { addServer } from "../server-options.ts";
import { harmless, relative, spinning } from "../terminal.ts";

/** The answer of GET /v2/me. The contract would bring zod into a command that should be quick. */
export type Me = {
  workspace: { id: string; name: string };
  plan: string;
  scopes: string[];
  actor: { name: string | null; expires_at: string | null };
};

export const fill: Fill = (command, perform, client) => {
  addServer(command).action((options: { url?: string }) => perform(() => status(options.url, client)));
};

async function status(url: string | undefined, client: string): Promise<Result> {
  const signIn = credentials(url);
  const { raw, value, ms } = await spinning("Asking the server", readMe(signIn, client));
  const more = [["key from", signIn.keyFrom] as const, ["answered in", `${ms} ms`] as const];
  return { raw, text: meText(harmless(value), signIn.url, more) };
}

export async function readMe(credentials: Credentials, client: string) {
  const began = performance.now();
  const answer = await send<Me>({
    method: "GET",
    url: credentials.url,
    path: "/v2/me",
    credentials: credentials,
    client,
  });
  return { ...answer, ms: Math.round(performance.now() - began) };
}

type Row = readonly [name: string, value: string];

/** Who is signed in where, and `more` lines. */
export const meText = ({ workspace, plan, scopes, actor }: Me, url: string, more: readonly Row[] = []): string =>
  table([
    ["server", url],
    ["workspace", `${workspace.name} (${workspace.id})`],
    ["plan", plan],
    ["key", actor.name ?? ""],
    ["scopes", scopes.join(", ")],
    ["expires", actor.expires_at ? relative(actor.expires_at) : "never"],
    ...more,
  ]);
