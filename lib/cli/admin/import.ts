import type { Command } from "commander";
import { type Result, table } from "../answer.ts";
import type { Perform } from "../command.ts";
import { operatorName } from "../operator-name.ts";
import { id } from "../values.ts";

type Options = { into?: string; check?: true; json?: true };

export function addImport(admin: Command, perform: Perform): void {
  admin
    .command("import")
    .description(
      "Read the export of a whole workspace back, with the same ids, into a workspace that does not exist yet or is empty.",
    )
    .argument("<file>", "what `rapport admin export --output` or the page wrote")
    .option("--into <workspace_id>", "an empty workspace to read it into, instead of one with the id in the file", id)
    .option("--check", "only check the file, line by line; nothing is written")
    .option("--json", "print one JSON object")
    .action((file: string, options: Options) => perform(() => restore(file, options)));
}

async function restore(file: string, { into, check }: Options): Promise<Result> {
  const { restoreWorkspace } = await import("#lib/domain/workspace/restore/service.ts");
  const report = await restoreWorkspace({ path: file, into, checkOnly: check, operator: operatorName() });
  const { workspaceId: workspace_id, at: made_at, rows, left, already, checked } = report;
  const counts = Object.entries(rows).map(([name, count]): [string, string] => [name, String(count)]);
  const lines = checked
    ? "The file can be read; nothing was written."
    : already
      ? "This file was read before; nothing was changed."
      : "The workspace is back.";
  const missing = left.map((what): [string, string] => ["not back", what]);
  return {
    value: { workspace_id, made_at, rows, not_restored: left, already, checked },
    text: `${lines}\n${table([["workspace", workspace_id], ["made", made_at], ...counts, ...missing])}`,
  };
}
