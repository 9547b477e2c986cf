/** Whether one job goes on with an import, beside others. */
import { expect, test } from "vitest";
import { inspect } from "#lib/testing/database.ts";
import { upload } from "#lib/testing/imports.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { turns } from "./service/work.ts";

const uploaded = async ({ caller }: TestWorkspace): Promise<string> =>
  (await upload(caller, "Email\nanna@acme.com")).id;

const setState = (id: string, state: string) => inspect("UPDATE imports SET state = $2 WHERE id = $1", [id, state]);

test.each(["reading", "checking", "running", "undoing"])(
  "an import lets another one go on that is %s",
  async (state) => {
    const [workspace, other] = [await createTestWorkspace(), await createTestWorkspace()];
    const importId = await uploaded(workspace);
    const job = { caller: workspace.caller, attempt: 1, last: false, signal: new AbortController().signal };
    const isAlone = () => turns.isAlone(job, { import_id: importId });
    await setState(await uploaded(other), state);
    expect(await isAlone(), "in another workspace").toBe(true);
    const beside = await uploaded(workspace);
    expect(await isAlone(), "one that nobody runs").toBe(true);
    await setState(beside, state);
    expect(await isAlone()).toBe(false);
  },
);
