import { constants, openAsBlob } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import {
  cancelImport,
  createImport,
  getImport,
  type Import,
  patchImport,
  previewImport,
  runImport,
} from "#lib/domain/workspace/imports/contract.ts";
import { type Result, table } from "../answer.ts";
import type { Fill } from "../command.ts";
import { type Credentials, credentials } from "../credentials.ts";
import { CommandFailure } from "../failure.ts";
import { addFields } from "../fields.ts";
import { type Answer, callApi, uploadTo } from "../request.ts";
import { addServer } from "../server-options.ts";
import { bold, dim, harmless, progressBar, spinning } from "../terminal.ts";

type Options = {
  url?: string;
  json?: boolean;
  kind?: string;
  name?: string;
  mapping?: string;
  stages?: string;
  overwrite?: boolean;
  updateOnly?: boolean;
  dryRun?: boolean;
  yes?: boolean;
};

/** A server, and who asks it. */
type ServerAccess = { credentials: Credentials; client: string };
type One = Answer<{ import: Import }>;

export const fill: Fill = (command, perform, client) => {
  command.argument("<file>", "CSV file of people, companies, notes or activities");
  addFields(command, createImport, ["content", "file_name"])
    .option("--mapping <header=field,...>", "what columns are: a field, property.<name>, or nothing to leave one out")
    .option("--stages <word=stage,...>", "which stages the file's words are")
    .option("--overwrite", "replace values that records have; else only blanks are filled")
    .option("--update-only", "create no new records")
    .option("--dry-run", "say what would happen, and import nothing")
    .option("--yes", "import without asking");
  addServer(command).action((file: string) => perform(() => importFile(command, client, file)));
};

async function importFile(command: Command, client: string, file: string): Promise<Result> {
  const options = command.opts<Options>();
  if (!options.yes && !options.dryRun && (options.json || !process.stdin.isTTY))
    throw new CommandFailure(
      2,
      "usage",
      "This is not a terminal, so there is no question: add --yes to import, or --dry-run to see what would happen.",
    );
  const asked: ServerAccess = { credentials: credentials(options.url), client };
  const uploaded = await upload(asked, file, options);
  if (!("import" in uploaded.value))
    return { raw: uploaded.raw, text: String((uploaded.value as { message?: string }).message) };
  const { id } = uploaded.value.import;
  await until(asked, id, ["ready"]);
  const read = await choose(asked, id, options);
  await callApi(previewImport, { id }, asked.credentials, client);
  const checked = await until(asked, id, ["ready"], "check");
  if (options.dryRun) {
    await callApi(cancelImport, { id }, asked.credentials, client);
    return {
      raw: checked.raw,
      text: `${mappingText(read)}\n\n${countsText(checked.value.import, "check")}\n\nNothing was imported.`,
    };
  }
  if (!options.yes && !(await agreed(read, checked.value.import))) {
    await callApi(cancelImport, { id }, asked.credentials, client);
    return { raw: checked.raw, text: "Nothing was imported." };
  }
  const begun = await callApi(runImport, { id }, asked.credentials, client);
  if (!("import" in begun.value))
    return { raw: begun.raw, text: String((begun.value as { message?: string }).message) };
  const done = await until(asked, id, ["done", "cancelled"], "run");
  const { state } = done.value.import;
  return {
    raw: done.raw,
    text: `${countsText(done.value.import, "run")}\n${dim(`import ${id} ${state}`)}`,
    exit: state === "done" ? 0 : 1,
  };
}

async function upload(asked: ServerAccess, file: string, { kind, name }: Options): Promise<One> {
  await access(file, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(2, "usage", `${file} cannot be read (${error.code}).`);
  });
  const blob = await openAsBlob(file, { type: "text/csv" });
  const fields = { file_name: path.basename(file), ...(kind ? { kind } : {}), ...(name ? { name } : {}) };
  return spinning("Upload the file", uploadTo(createImport, fields, blob, asked.credentials, asked.client));
}

const WAIT_MS = 200;

/** Waits for a state, with a bar of how far it is. */
async function until(
  asked: ServerAccess,
  id: string,
  states: readonly Import["state"][],
  of?: "check" | "run",
): Promise<One> {
  const bar = progressBar();
  try {
    for (;;) {
      const answer = await callApi(getImport, { id }, asked.credentials, asked.client);
      const { import: now } = answer.value;
      if (states.includes(now.state)) return answer;
      if (now.state === "failed")
        throw new CommandFailure(1, "failed", now.problem ?? "The import failed.", answer.raw);
      if (now.state === "cancelled") throw new CommandFailure(1, "cancelled", "The import was cancelled.", answer.raw);
      const progress = of && now[of];
      if (progress && now.format?.rows) bar.show(progress.rows_done / now.format.rows, progressText(progress));
      await sleep(WAIT_MS);
    }
  } finally {
    bar.clear();
  }
}

const number = (count: number): string => count.toLocaleString("en");

function progressText({ rows_done, rows_per_second, seconds_left }: NonNullable<Import["run"]>): string {
  const rate = rows_per_second === null ? "" : `  ${number(rows_per_second)}/s`;
  const left = seconds_left === null ? "" : `  ${number(seconds_left)} s left`;
  return `${number(rows_done)} rows${rate}${left}`;
}

/** Changes what was proposed as the options say. */
async function choose(asked: ServerAccess, id: string, options: Options): Promise<Import> {
  const { import: found } = (await callApi(getImport, { id }, asked.credentials, asked.client)).value;
  const mapping = pairsOf(options.mapping).map(([header, to]) => {
    const columns = found.columns.filter((column) => column.header.toLowerCase() === header.toLowerCase());
    const [column] = columns;
    if (!column)
      throw new CommandFailure(
        2,
        "usage",
        `The file has no column ${header}. Its columns: ${found.columns.map((one) => one.header).join(", ")}.`,
      );
    return { column: column.column, to: to === "" ? null : to };
  });
  const change = {
    ...(mapping.length > 0 ? { mapping } : {}),
    ...(options.stages ? { stage_values: Object.fromEntries(pairsOf(options.stages)) } : {}),
    ...(options.overwrite ? { policy: "overwrite" } : {}),
    ...(options.updateOnly ? { create: false } : {}),
  };
  if (Object.keys(change).length === 0) return harmless(found);
  return harmless((await callApi(patchImport, { id, ...change }, asked.credentials, asked.client)).value.import);
}

const pairsOf = (text = ""): [string, string][] =>
  text
    .split(",")
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const mark = part.lastIndexOf("=");
      if (mark < 0) throw new CommandFailure(2, "usage", `${part.trim()} is no pair such as Header=field.`);
      return [part.slice(0, mark).trim(), part.slice(mark + 1).trim()];
    });

async function agreed(read: Import, checked: Import): Promise<boolean> {
  process.stderr.write(`${mappingText(read)}\n\n${countsText(checked, "check")}\n\n`);
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await asking.question("Import it? [y/N] ").finally(() => asking.close());
  return /^y(es)?$/i.test(answer.trim());
}

function mappingText({ columns, format, warnings }: Import): string {
  const rows = columns.map(
    ({ header, to, samples }) => [header, `${to ?? dim("left out")}  ${dim(samples[0] ?? "")}`] as const,
  );
  const lines = warnings.map(({ message }) => `! ${message}`);
  return [bold(`${number(format?.rows ?? 0)} rows, ${format?.encoding}`), table(rows), ...lines].join("\n");
}

function countsText(record: Import, of: "check" | "run"): string {
  const progress = record[of];
  if (!progress) return "";
  const { created, updated, unchanged, skipped, reasons } = progress;
  const counts = `${number(created)} new, ${number(updated)} updated, ${number(unchanged)} unchanged, ${number(skipped)} skipped`;
  return [
    bold(counts),
    ...harmless(reasons).map(({ rows, message }) => `${number(rows).padStart(8)}  ${message}`),
  ].join("\n");
}
