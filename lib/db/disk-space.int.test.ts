import { expect, test } from "vitest";
import { database } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { diskOf, watchDiskSpace } from "./disk-space.ts";
import { withWorkspace } from "./transaction.ts";

test("while the disk is nearly full writes are refused, reads go on, and writes too once there is room", async () => {
  const { id } = await createTestWorkspace();
  const read = () => withWorkspace(id, ({ prisma }) => prisma.task.count(), { readOnly: true });
  const write = () => withWorkspace(id, ({ prisma }) => prisma.task.deleteMany().then(() => "written"));
  const lines: string[] = [];
  const stop = watchDiskSpace(database.dataDir, (line) => lines.push(line), Number.POSITIVE_INFINITY);
  await expect.poll(() => lines).toEqual([expect.stringMatching(/ MB left: writes are refused until there is more$/)]);
  await expect(write()).rejects.toMatchObject({ code: "not_ready", extras: { retry_after: 30 } });
  expect(await read()).toBe(0);
  stop();
  expect(await write()).toBe("written");
});

test.skipIf(process.platform !== "linux")("a file system that reports no size has room", async () => {
  expect(await diskOf("/proc")).toMatchObject({ free: Number.POSITIVE_INFINITY, total: 0 });
});
