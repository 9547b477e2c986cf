/**
 * Imported before the script of a process that a test starts: runs commands of `rapport` there when the test sends one. Starting a
 * process for each takes longer than all that they do.
 */
import type { Print } from "#lib/cli/command.ts";

const print: Print = async () => undefined;

process.on("message", async ({ command }: { command: string[] }) => {
  const { runCommand } = await import("#lib/cli/program.ts");
  process.send?.(await runCommand(command, { open: (work) => work(), print }));
});
process.channel?.unref(); // so that it does not keep the process alive
