import type { Command } from "commander";
import { type Result, table } from "../answer.ts";
import type { Perform } from "../command.ts";
import { hash, id } from "../values.ts";

type Options = { workspace?: string; holds?: string; json?: true };

export function addAuditCommands(admin: Command, perform: Perform): void {
  admin
    .command("audit")
    .description("Check the audit log.")
    .command("verify")
    .description(
      "Walk the chain of hashes of the audit log, and name the first gap or change; ends with 1 when there is one.",
    )
    .option("--workspace <id>", "only this workspace", id)
    .option("--holds <hash>", "the hash of a block that was kept elsewhere: it must be in the chain", hash)
    .option("--json", "print one JSON object")
    .action((options: Options) => perform(() => verify(options)));
}

async function verify({ workspace, holds }: Options): Promise<Result> {
  const [{ everyWorkspace, operatorOf }, { verifyChain }] = await Promise.all([
    import("#lib/auth/operator.ts"),
    import("#lib/domain/records/audit/service.ts"),
  ]);
  const ids = workspace === undefined ? await everyWorkspace() : [(await operatorOf(workspace, "audit")).workspaceId];
  const chains = [];
  for (const workspace_id of ids) chains.push({ workspace_id, ...(await verifyChain(workspace_id, holds ?? null)) });
  const isMissing = holds !== undefined && !chains.some((each) => each.holds);
  const isWhole = !isMissing && chains.every(({ problem }) => problem === null);
  const lines = chains.map(({ workspace_id, blocks, entries, unsealed, head, problem }): [string, string] => {
    const counts = `${entries} entries in ${blocks} blocks, ${unsealed} not sealed yet`;
    return [
      workspace_id,
      problem ? `WRONG: ${problem.what}` : `${counts}${head ? `, block ${head.number} is ${head.hash}` : ""}`,
    ];
  });
  const missing = isMissing ? `\nNo block has the hash ${holds}.` : "";
  return {
    value: { whole: isWhole, workspaces: chains.map(({ holds: _, ...each }) => each) },
    text: `${table(lines)}\n${isWhole ? "The audit log is whole." : "The audit log is not whole."}${missing}`,
    exit: isWhole ? 0 : 1,
  };
}
