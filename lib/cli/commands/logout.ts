import type { Result } from "../answer.ts";
import type { Fill } from "../command.ts";
import { forgetSignIn, readSignIn, signInFile } from "../credentials.ts";
import { CommandFailure } from "../failure.ts";
import { spinning } from "../terminal.ts";
import { endKey } from "./login.ts";

type Options = { local?: boolean };

export const fill: Fill = (command, perform, client) => {
  command
    .option("--local", "forget the key here without asking the server to revoke it")
    .option("--json", "print the API's JSON")
    .action((options: Options) => perform(() => logout(options, client)));
};

async function logout({ local = false }: Options, client: string): Promise<Result> {
  const signIn = readSignIn();
  if (!signIn) return { value: { revoked: false }, text: `You were not signed in.${stillSet()}` };
  if (local) {
    forgetSignIn();
    const text = `${signInFile()} is deleted. The key still works: revoke it on the API keys page of ${signIn.url}.`;
    return { value: { revoked: false }, text };
  }
  try {
    const { raw } = await spinning("Revoking the key", endKey(signIn, client));
    forgetSignIn();
    return { raw, text: `Signed out of ${signIn.url}; the key is revoked.${stillSet()}` };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { exit, code, message, answer } = error;
    const hint = "You are still signed in. To forget the key here without revoking it: `rapport logout --local`.";
    throw new CommandFailure(exit, code, `${message} ${hint}`, answer);
  }
}

const stillSet = (): string => (process.env.RAPPORT_API_KEY ? " RAPPORT_API_KEY is set and still used." : "");
