import { Command, CommanderError } from "commander";
import { VERSION } from "#lib/settings/version.ts";
import { type Ending, fail, misuse, type Result, succeed } from "./answer.ts";
import type { Perform, Print, Work } from "./command.ts";
import { commands } from "./commands.ts";
import { exitCodesText } from "./exit-codes.ts";

/** Reads this installation's settings, and opens its database unless that stays closed, around the work of one command. */
type Open = (work: () => Promise<Result>, database: "open" | "closed") => Promise<Result>;

/** What a command gets from the program that runs it. `print` takes only what the command streams. */
export type Surroundings = { open: Open; print: Print };

/** Runs one command line and returns how it ended. */
export async function runCommand(commandLine: readonly string[], surroundings: Surroundings): Promise<Ending> {
  const args = commandLine.map(withDashes);
  const json = args.includes("--json");
  if (args[0] === "help" && args[1] === "exit-codes") return { exit: 0, stdout: exitCodesText(), stderr: "" };
  const output = { text: "" };
  const chosen: { work?: () => Promise<Result> } = {};
  const program = await programFor(args, surroundings, chosen, output);
  try {
    program.parse([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { exit: 0, stdout: output.text, stderr: "" };
    const usage = commandNamed(program, args).helpInformation();
    return misuse(error.code === "commander.help" ? "Which command?" : sentence(error.message), usage, json);
  }
  if (isCompletion(args)) return { exit: 0, stdout: "", stderr: "" };
  if (!chosen.work) return misuse("Which command?", program.helpInformation(), json);
  try {
    return succeed(await chosen.work(), json);
  } catch (error) {
    const failed = fail(error, json);
    if (failed.exit !== 2 || args[0] !== "admin") return failed;
    const message = error instanceof Error ? error.message : String(error);
    return { ...failed, stderr: `${message}\n\n${commandNamed(program, args).helpInformation()}` };
  }
}

/** `complete` is what the shells call; it completes any command, so all are loaded for it. */
const isCompletion = ([first]: readonly string[]): boolean => first === "completion" || first === "complete";

async function programFor(
  args: readonly string[],
  { open, print }: Surroundings,
  chosen: { work?: () => Promise<Result> },
  output: { text: string },
): Promise<Command> {
  const program = new Command("rapport")
    .description("The context store for sales and go-to-market agents.")
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        output.text += text;
      },
      writeErr: () => undefined,
      outputError: () => undefined,
    })
    .addHelpText("after", "\nExit codes: rapport help exit-codes. Completion: rapport completion --help.");
  const name = args.find((arg) => !arg.startsWith("-") && arg !== "help");
  const client = `rapport-cli/${VERSION}`;
  for (const entry of commands) {
    const command = program.command(entry.name).description(entry.about);
    if (!entry.load || !(isCompletion(args) || entry.name === name)) continue;
    const { fill } = await entry.load();
    const perform: Perform = (work: Work, { database } = { database: "open" }) => {
      chosen.work = () => (entry.onServer ? open(() => work(print), database) : work(print));
    };
    fill(command, perform, client);
  }
  if (isCompletion(args)) (await import("./completion.ts")).addCompletion(program);
  else
    program.command("completion").description("Print a script that completes commands: bash, zsh, fish, powershell.");
  return program;
}

/** The fields of the API may be written as they are there: `--budget_tokens`. */
const withDashes = (arg: string): string => {
  const [flag = ""] = arg.split("=", 1);
  return /^--[a-z]+(_[a-z]+)+$/.test(flag) ? flag.replaceAll("_", "-") + arg.slice(flag.length) : arg;
};

/** The command that the first arguments name, as far as they do; its usage is shown. */
function commandNamed(program: Command, args: readonly string[]): Command {
  let subcommand = program;
  for (const name of args) {
    const next = subcommand.commands.find((command) => command.name() === name);
    if (!next) break;
    subcommand = next;
  }
  return subcommand;
}

const sentence = (message: string): string => {
  const plain = message.replace(/^error: /, "");
  return `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}`;
};
