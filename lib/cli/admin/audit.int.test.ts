/** The command that checks the audit log, beside a log that its superuser changed. */
import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { walks } from "#lib/worker/registry.ts";
import { runCommand } from "../program.ts";

type Workspace = Awaited<ReturnType<typeof createTestWorkspace>>;

/** As the database's owner, with the triggers that refuse changes switched off. */
const tamper = (text: string) =>
  inspect(`SET session_replication_role = replica; ${text}; SET session_replication_role = DEFAULT`);

const sealing = walks.flatMap(({ parts }) => parts).find(({ name }) => name === "sealing the audit log");

const blocksOf = async ({ id }: Workspace) =>
  (
    await inspect<{ entries: string[] }>(
      "SELECT entry_ids AS entries FROM audit_blocks WHERE workspace_id = $1 ORDER BY number",
      [id],
    )
  ).map(({ entries }) => entries);

/** A workspace whose log has so many blocks of one entry each. */
async function sealed(count: number): Promise<{ workspace: Workspace; ids: string[] }> {
  const workspace = await createTestWorkspace();
  for (let n = 1; n <= count; n++) {
    await withWorkspace(workspace.id, (db) => recordAudit({ ...workspace.caller, db }, "member.left", String(n)));
    await expect
      // An older transaction of another database of the server may have to end first.
      .poll(async () => {
        while (await sealing?.step(workspace.id));
        return (await blocksOf(workspace)).length;
      })
      .toBe(n);
  }
  return { workspace, ids: (await blocksOf(workspace)).flat() };
}

describe("rapport admin audit verify", () => {
  const verify = (...options: string[]) =>
    runCommand(["admin", "audit", "verify", ...options], { open: (work) => work(), print: async () => undefined });
  const asJson = async (...options: string[]) => {
    const { exit, stdout } = await verify("--json", ...options);
    return {
      exit,
      ...(JSON.parse(stdout) as {
        whole: boolean;
        workspaces: { head: { hash: string }; problem: { what: string } | null }[];
      }),
    };
  };
  const ofOne = async (workspace: Workspace) => (await asJson("--workspace", workspace.id)).workspaces[0];

  test("ends with 0 for an intact log, and prints the hash to keep elsewhere", async () => {
    const { workspace } = await sealed(2);
    const { exit, whole, workspaces } = await asJson("--workspace", workspace.id);
    expect({ exit, whole, workspaces }).toMatchObject({
      exit: 0,
      whole: true,
      workspaces: [{ workspace_id: workspace.id, blocks: 2, entries: 2, unsealed: 0, problem: null }],
    });
    const hash = workspaces[0]?.head.hash ?? "";
    const { exit: again, stdout } = await verify("--workspace", workspace.id, "--holds", hash);
    expect([again, stdout]).toEqual([0, expect.stringMatching(`2 entries in 2 blocks.* block 2 is ${hash}`)]);
    expect(stdout).toContain("The audit log is whole.");
  });

  test.each<[what: string, change: (ids: string[]) => string, says: RegExp]>([
    [
      "changed",
      ([, id]) => `UPDATE audit_log SET subject = 'x' WHERE id = '${id}'`,
      /^Entry .* of block 2 was changed/,
    ],
    ["removed", ([, id]) => `DELETE FROM audit_log WHERE id = '${id}'`, /^Entry .* of block 2 is missing/],
  ])("ends with 1 and names the entry that was %s", async (_, change, says) => {
    const { workspace, ids } = await sealed(3);
    await tamper(change(ids));
    const { exit, stdout } = await verify("--workspace", workspace.id);
    expect([exit, stdout]).toEqual([1, expect.stringContaining("The audit log is not whole.")]);
    const found = await ofOne(workspace);
    expect(found?.problem).toMatchObject({ entry_id: ids[1], what: expect.stringMatching(says) });
    expect((await asJson()).exit).toBe(1); // with all workspaces too
  });

  test("of a log that was cut at its end, entries without their block show; whole blocks by a hash that was kept", async () => {
    const { workspace, ids } = await sealed(3);
    const kept = (await ofOne(workspace))?.head.hash ?? "";
    const block = `DELETE FROM audit_blocks WHERE workspace_id = '${workspace.id}' AND number = 3`;
    await tamper(`DELETE FROM audit_log WHERE id = '${ids[2]}'`);
    expect((await ofOne(workspace))?.problem).toMatchObject({ what: expect.stringContaining("is missing") });
    await tamper(block);
    expect(await ofOne(workspace)).toMatchObject({ blocks: 2, problem: null });
    const { exit, stdout } = await verify("--workspace", workspace.id, "--holds", kept);
    expect([exit, stdout]).toEqual([1, expect.stringContaining(`No block has the hash ${kept}.`)]);
  });

  test("refuses what is no hash and no workspace", async () => {
    expect((await verify("--holds", "abc")).exit).toBe(2);
    expect((await verify("--workspace", newId())).exit).toBe(1);
  });
});
