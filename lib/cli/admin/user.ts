import type { Command } from "commander";
import { type Result, table } from "../answer.ts";
import type { Perform } from "../command.ts";
import { operatorName } from "../operator-name.ts";

export function addUserCommands(admin: Command, perform: Perform): void {
  const user = admin.command("user").description("Help people who cannot sign in.");

  user
    .command("reset-password")
    .description("Set a new password and end the person's sessions.")
    .argument("<email>", "e-mail address of the account")
    .option("--password <password>", "the new password; made up when absent")
    .option("--json", "print one JSON object")
    .action((email: string, { password }: { password?: string }) => perform(() => resetPassword(email, password)));
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
