import type { Command } from "commander";
import { type Result, table } from "../answer.ts";
import type { Perform } from "../command.ts";
import { operatorName } from "../operator-name.ts";
import { id } from "../values.ts";

export function addRebuild(admin: Command, perform: Perform): void {
  admin
    .command("rebuild")
    .description(
      "Derive every claim and list row again from the evidence and report differences; there should be none.",
    )
    .option("--workspace <id>", "only this workspace", id)
    .option("--json", "print one JSON object")
    .action(({ workspace }: { workspace?: string }) => perform(() => rebuild(workspace)));
}

async function rebuild(workspace: string | undefined): Promise<Result> {
  const [{ everyWorkspace, operatorOf }, { rebuildWorkspace }, { rebuildNotesIndex }] = await Promise.all([
    import("#lib/auth/operator.ts"),
    import("#lib/domain/knowledge/rebuild/service.ts"),
    import("#lib/domain/knowledge/notes/service.ts"),
  ]);
  const workspaces = workspace === undefined ? await everyWorkspace() : [workspace];
  const total = { workspaces: workspaces.length, entities: 0, projections: 0, different: 0 };
  const differences = [];
  for (const workspaceId of workspaces) {
    const operator = await operatorOf(workspaceId, operatorName());
    const rebuilt = await rebuildWorkspace(operator);
    await rebuildNotesIndex(operator.workspaceId);
    total.entities += rebuilt.entities;
    total.projections += rebuilt.projections;
    total.different += rebuilt.different;
    differences.push(...rebuilt.differences.map((difference) => ({ workspace_id: workspaceId, ...difference })));
  }
  return {
    value: { ...total, differences },
    text: table([
      ["workspaces", String(total.workspaces)],
      ["entities", String(total.entities)],
      ["claims and rows", String(total.projections)],
      ["differences", String(total.different)],
      ...differences.map(({ entity_id, projection }): [string, string] => [entity_id, projection]),
    ]),
    exit: total.different > 0 ? 1 : 0,
  };
}
