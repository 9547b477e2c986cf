import { Command, CommanderError } from "commander";
import { addKeyCommands } from "./admin/key.ts";
import { addPrivacyCommands } from "./admin/privacy.ts";
import { addRebuild } from "./admin/rebuild.ts";
import { addRotateEncryption } from "./admin/rotate-encryption.ts";
import { addUserCommands } from "./admin/user.ts";
import { addWorkspaceCommands } from "./admin/workspace.ts";
import { type Ending, fail, misuse, type Result, succeed } from "./answer.ts";
import type { Perform, Print, Work } from "./command.ts";

/** Opens this installation's database around the work of one command. */
export type Open = (work: () => Promise<Result>) => Promise<Result>;

/** Runs one command line and returns how it ended. Prints only what the command streams. */
export async function runCommand(args: readonly string[], open: Open, print: Print): Promise<Ending> {
  const json = args.includes("--json");
  let said = "";
  let chosen: Work | undefined;
  const perform: Perform = (work) => {
    chosen = work;
  };
  const program = new Command("rapport")
    .description("The context store for sales and go-to-market agents.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        said += text;
      },
      writeErr: () => undefined,
      outputError: () => undefined,
    });
  // `bin/rapport.ts` runs these two itself; here they are for the help.
  program.command("start").description("Start the server, as `rapport` alone does: [--port <n>].");
  program.command("worker").description("Run jobs in a process of its own (WORKER=separate).");
  addAdmin(program, perform);

  try {
    program.parse([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { exit: 0, stdout: said, stderr: "" };
    const usage = commandNamed(program, args).helpInformation();
    return misuse(error.code === "commander.help" ? "Which command?" : sentence(error.message), usage, json);
  }
  if (!chosen) return misuse("Which command?", program.helpInformation(), json);
  try {
    const work = chosen;
    return succeed(await open(() => work(print)), json);
  } catch (error) {
    const failed = fail(error, json);
    if (failed.exit !== 2) return failed;
    const message = error instanceof Error ? error.message : String(error);
    return { ...failed, stderr: `${message}\n\n${commandNamed(program, args).helpInformation()}` };
  }
}

function addAdmin(program: Command, perform: Perform): void {
  const admin = program.command("admin").description("Operate this server; works whether or not it runs.");
  addWorkspaceCommands(admin, perform);
  addKeyCommands(admin, perform);
  addUserCommands(admin, perform);
  addRotateEncryption(admin, perform);
  addRebuild(admin, perform);
  addPrivacyCommands(admin, perform);
}

/** The command that the first arguments name, as far as they do; its usage is shown. */
function commandNamed(program: Command, args: readonly string[]): Command {
  let found = program;
  for (const name of args) {
    const next = found.commands.find((command) => command.name() === name);
    if (!next) break;
    found = next;
  }
  return found;
}

const sentence = (message: string): string => {
  const plain = message.replace(/^error: /, "");
  return `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}`;
};
