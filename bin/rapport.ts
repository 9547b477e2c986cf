/** The `rapport` command; `bin/rapport.mjs` runs it with a Node that runs TypeScript. */
export {}; // a module, which may await

const [command] = process.argv.slice(2);
if (command === undefined || command === "start" || command === "worker") {
  if (command) process.argv.splice(2, 1);
  await (command === "worker" ? import("./worker.ts") : import("./start.ts"));
} else await runOneCommand();

async function runOneCommand(): Promise<never> {
  const { runCommand } = await import("#lib/cli/program.ts");

  // Our output has no reader any more (a closed pipe): not an error of the command.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

  const { exit, stdout, stderr } = await runCommand(process.argv.slice(2), {
    open: async (work, database) => {
      const { withInstallation, withSettings } = await import("./installation.ts");
      return database === "open" ? withInstallation(work) : withSettings(work);
    },
    print: (text) => print(process.stdout, text),
  });
  await Promise.all([print(process.stderr, stderr), print(process.stdout, stdout)]);
  process.exit(exit);
}

/** Resolves once all of the text is written: a pipe may take it in pieces. */
function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => (text === "" ? resolve() : void stream.write(text, () => resolve())));
}
