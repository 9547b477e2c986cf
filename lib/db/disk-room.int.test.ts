import { expect, test } from "vitest";
import { database } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { watchRoom } from "./disk-room.ts";
import { withWorkspace } from "./transaction.ts";

test("while the disk is nearly full writes are refused, reads go on, and writes too once there is room", async () => {
  const { id } = await createTestWorkspace();
  const read = () => withWorkspace(id, ({ prisma }) => prisma.task.count(), { readOnly: true });
  const write = () => withWorkspace(id, ({ prisma }) => prisma.task.deleteMany().then(() => "written"));
  const lines: string[] = [];
  const stop = watchRoom(database.dataDir, (line) => lines.push(line), Number.POSITIVE_INFINITY);
  await expect
    .poll(() => lines)
    .toEqual([expect.stringMatching(/ MB left: writes are refused until there is more room$/)]);
  await expect(write()).rejects.toMatchObject({ code: "not_ready", extras: { retry_after: 30 } });
  expect(await read()).toBe(0);
  stop();
  expect(await write()).toBe("written");
});
