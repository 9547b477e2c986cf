import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Command } from "commander";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { type Result, table } from "../answer.ts";
import type { Perform, Print } from "../command.ts";
import { operatorName } from "../operator-name.ts";
import { id } from "../values.ts";

type ExportOptions = { person?: string; output?: string; json?: true };

export function addPrivacyCommands(admin: Command, perform: Perform): void {
  admin
    .command("erase")
    .description("Erase a person for good, with every observation, note and identifier. It cannot be undone.")
    .argument("<workspace_id>", "id of the workspace", id)
    .argument("<focus>", "the person: an id, an e-mail address or a LinkedIn URL")
    .option("--json", "print one JSON object")
    .action((workspaceId: string, focus: string) => perform(() => erase(workspaceId, focus)));

  admin
    .command("export")
    .description("Write everything a workspace has, secrets aside, as lines of JSON.")
    .argument("<workspace_id>", "id of the workspace", id)
    .option("--person <focus>", "only what it has of one person: an id, an e-mail address or a LinkedIn URL")
    .option("--output <file>", "a file for the lines instead of the standard output; replaced when it exists")
    .option("--json", "print one JSON object about what was written; needs --output")
    .action((workspaceId: string, { person, output, json }: ExportOptions, command: Command) => {
      if (json && output === undefined) command.error("--json tells about the file that --output names.");
      perform((print) => exportTo(workspaceId, person, output, print));
    });
}

async function erase(workspaceId: string, focus: string): Promise<Result> {
  const [{ operatorOf }, { erasePerson }] = await services();
  const { entity_id, erased } = await erasePerson.execute(await operatorOf(workspaceId, operatorName()), { focus });
  return {
    value: { entity_id, erased },
    text: table([
      ["erased", entity_id],
      ...Object.entries(erased).map(([name, count]): [string, string] => [name, String(count)]),
    ]),
  };
}

async function exportTo(
  workspaceId: string,
  person: string | undefined,
  file: string | undefined,
  print: Print,
): Promise<Result> {
  const [{ operatorOf }, { openPersonExport, openWorkspaceExport }] = await services();
  const operator = await operatorOf(workspaceId, operatorName());
  const exportInto = await (person === undefined ? openWorkspaceExport(operator) : openPersonExport(operator, person));
  if (file === undefined) {
    await exportInto(print);
    return { value: {}, text: null };
  }
  const { rows, tables } = await toFile(file, exportInto);
  const counts = Object.entries(tables).map(([name, count]): [string, string] => [name, String(count)]);
  return { value: { file, rows, tables }, text: table([["file", file], ["rows", String(rows)], ...counts]) };
}

/** The file appears under its name only when it is complete, readable only by its owner. */
async function toFile<T>(file: string, fill: (write: Print) => Promise<T>): Promise<T> {
  const part = `${file}.part`;
  const stream = createWriteStream(part, { mode: 0o600 });
  const refuse = (error: Error) => {
    throw new OperatorError(`${file} could not be written: ${error.message}`, { cause: error });
  };
  const broken = once(stream, "error").then(([error]) => refuse(error as Error));
  broken.catch(() => undefined); // reported where a write is awaited
  const write: Print = async (text) => {
    if (!stream.write(text)) await Promise.race([once(stream, "drain"), broken]);
  };
  try {
    const result = await Promise.race([fill(write), broken]);
    stream.end();
    await Promise.race([once(stream, "close"), broken]);
    await rename(part, file).catch(refuse);
    return result;
  } catch (error) {
    stream.destroy();
    await rm(part, { force: true });
    throw error;
  }
}

const services = () =>
  Promise.all([import("#lib/auth/operator.ts"), import("#lib/domain/workspace/privacy/service.ts")]);
