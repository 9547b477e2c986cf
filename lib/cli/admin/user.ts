import type { Command } from "commander";
import { type Result, table } from "../answer.ts";
import type { Perform } from "../command.ts";
import { operatorName } from "../operator-name.ts";

export function addUserCommands(admin: Command, perform: Perform): void {
  const user = admin.command("user").description("Help people who cannot sign in.");

  user
    .command("reset-password")
    .description(
      "Set a new password and end the person's sessions. One that is made up is replaced at their next sign-in.",
    )
    .argument("<email>", "e-mail address of the account")
    .option("--password <password>", "the new password; made up when absent")
    .option("--json", "print one JSON object")
    .action((email: string, { password }: { password?: string }) => perform(() => resetPassword(email, password)));

  user
    .command("reset-second-factor")
    .description(
      "Remove the app and passkeys of a person who lost them and their recovery codes, and end their sessions.",
    )
    .argument("<email>", "e-mail address of the account")
    .option("--json", "print one JSON object")
    .action((email: string) => perform(() => resetFactor(email)));

  user
    .command("end-sessions")
    .description("Sign a person out everywhere, with their connected clients, keys of logins and invitations.")
    .argument("<email>", "e-mail address of the account")
    .option("--json", "print one JSON object")
    .action((email: string) => perform(() => endSessions(email)));

  user
    .command("disable")
    .description("Keep a person from signing in, end what acts for them, and list what they own.")
    .argument("<email>", "e-mail address of the account")
    .option("--json", "print one JSON object")
    .action((email: string) => perform(() => disable(email)));

  user
    .command("enable")
    .description("Let a person who was disabled sign in again.")
    .argument("<email>", "e-mail address of the account")
    .option("--json", "print one JSON object")
    .action((email: string) => perform(() => enable(email)));
}

async function disable(address: string): Promise<Result> {
  const { disableUser, ownedBy } = await import("#lib/domain/workspace/users/service.ts");
  const { userId, email, ended_sessions } = await disableUser(address, operatorName());
  const workspaces = await ownedBy({ userId, email }, operatorName());
  return {
    value: { email, ended_sessions, workspaces },
    text: [
      `${email} cannot sign in any more (sessions ended: ${ended_sessions}). Their connected clients, keys of rapport login and invitations have ended too.`,
      ...workspaces.map(
        ({ name, role, only_owner, owns, api_keys }) =>
          `${name}: ${role}${only_owner ? ", the only one" : ""}; owns ${ownedWords(owns)}; made ${api_keys.map((key) => `the API key ${key.name} (rpt_${key.prefix})`).join(", ") || "no API keys that still work"}`,
      ),
    ].join("\n"),
  };
}

const ownedWords = (owns: Readonly<Record<string, number>>): string =>
  Object.entries(owns)
    .flatMap(([what, count]) => (count === 0 ? [] : [`${what} (${count.toLocaleString("en")})`]))
    .join(", ") || "no records";

async function enable(address: string): Promise<Result> {
  const { enableUser } = await import("#lib/domain/workspace/users/service.ts");
  const { email, enabled } = await enableUser(address, operatorName());
  return {
    value: { email, enabled },
    text: enabled ? `${email} can sign in again.` : `${email} was not disabled.`,
  };
}

async function endSessions(address: string): Promise<Result> {
  const { endUserSessions } = await import("#lib/domain/workspace/users/service.ts");
  const { email, ended_sessions } = await endUserSessions(address, operatorName());
  return {
    value: { email, ended_sessions },
    text: `${email} is signed out everywhere (sessions: ${ended_sessions}). Their connected clients, keys of rapport login and invitations have ended too.`,
  };
}

async function resetFactor(address: string): Promise<Result> {
  const { resetSecondFactor } = await import("#lib/domain/access/second-factor/service.ts");
  const { email, removed } = await resetSecondFactor(address, operatorName());
  return {
    value: { email, removed },
    text: removed ? `${email} signs in with the password alone again.` : `${email} has no second factor.`,
  };
}

async function resetPassword(emailOrId: string, wanted: string | undefined): Promise<Result> {
  const { resetUserPassword } = await import("#lib/domain/workspace/users/service.ts");
  const { email, password } = await resetUserPassword(emailOrId, operatorName(), wanted);
  return {
    value: { email, password },
    text: table([
      ["account", email],
      ["password", password],
    ]),
  };
}
