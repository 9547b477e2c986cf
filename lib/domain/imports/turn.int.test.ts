/** How long one job works on an import, beside others. */
import { afterEach, expect, test, vi } from "vitest";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { Import } from "./contract.ts";
import { Turn } from "./service/work.ts";
import { createImport } from "./service.ts";

afterEach(() => void vi.restoreAllMocks());

const uploaded = async ({ caller }: TestWorkspace): Promise<string> => {
  const file = { content: "Email\nanna@acme.com", file_name: "people.csv" };
  return ((await createImport.execute(caller, file)) as { import: Import }).import.id;
};

const setState = (id: string, state: string) => inspect("UPDATE imports SET state = $2 WHERE id = $1", [id, state]);

const later = (ms: number) => {
  const now = Date.now() + ms;
  vi.spyOn(Date, "now").mockReturnValue(now);
};

test("an import that is alone gets one turn after another, for a minute", async () => {
  const workspace = await createTestWorkspace();
  const turn = new Turn(workspace.caller, await uploaded(workspace));
  expect(turn.isOver()).toBe(false);
  later(11_000);
  expect(turn.isOver()).toBe(true);
  expect(await turn.again()).toBe(true);
  expect(turn.isOver()).toBe(false);
  later(61_000);
  expect(turn.isOver()).toBe(true);
  expect(await turn.again()).toBe(false);
});

test.each(["reading", "checking", "running", "undoing"])("it lets another one go on that is %s", async (state) => {
  const [workspace, other] = [await createTestWorkspace(), await createTestWorkspace()];
  const turn = new Turn(workspace.caller, await uploaded(workspace));
  await setState(await uploaded(other), state);
  expect(await turn.again(), "in another workspace").toBe(true);
  const beside = await uploaded(workspace);
  expect(await turn.again(), "one that nobody runs").toBe(true);
  await setState(beside, state);
  expect(await turn.again()).toBe(false);
});
