/** An installation whose disk fills while it is used, and has room again: nothing that was acknowledged is lost, and no one starts it again. */
import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createInstallation, type Installation } from "#lib/testing/installation.fixture.ts";
import { mayMount, mountDisk } from "#lib/testing/small-disk.fixture.ts";

/** With the 200 MB that stay free, room for a new database and its log. */
const DISK_MB = 700;
const MB = 2 ** 20;
/** The app looks every second. */
const LOOKS_WITHIN_MS = 1_500;

describe.skipIf(!mayMount())("a disk that is full", () => {
  let disk: NonNullable<ReturnType<typeof mountDisk>>;
  let installation: Installation;
  let workspace: { id: string; key: string };
  const filler = () => path.join(disk.folder, "filler");
  const free = () => {
    const { bavail, bsize } = statfsSync(disk.folder);
    return bavail * bsize;
  };

  /** Puts a file on the disk, until only so many bytes are left. */
  function fillUpTo(left: number): void {
    const file = openSync(filler(), "a");
    const piece = Buffer.alloc(MB, 1);
    try {
      while (free() > left) writeSync(file, piece, 0, Math.min(MB, Math.max(1, free() - left)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  beforeAll(async () => {
    const mounted = mountDisk(DISK_MB);
    if (!mounted) throw new Error("the disk was not mounted");
    disk = mounted;
    installation = await createInstallation({}, undefined, disk.folder);
    await installation.start();
    workspace = await installation.createWorkspace();
  });
  afterAll(async () => {
    await installation?.remove();
    disk?.remove();
  });

  const ask = (address: string, body?: object) =>
    fetch(installation.url() + address, {
      headers: { authorization: `Bearer ${workspace.key}`, "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });

  let number = 0;
  /** Sends captures one after the other, until it is told to stop. */
  function capturing() {
    const acknowledged: string[] = [];
    const answers: { status: number; message: string }[] = [];
    let over = false;
    const done = (async () => {
      while (!over) {
        const external_id = `c${number++}`;
        const capture = { email: `p${number % 20}@acme.com`, type: "call", source: "test", external_id };
        const answer = await ask("/api/v1/capture", capture);
        const { message = "" } = (await answer.json()) as { message?: string };
        if (answer.ok) acknowledged.push(external_id);
        answers.push({ status: answer.status, message });
        await sleep(5);
      }
    })();
    done.catch(() => undefined); // `stop` throws it; a test that failed does not come there
    return {
      acknowledged,
      /** What was answered since the last time. */
      since: () => answers.splice(0),
      async stop() {
        over = true;
        await done;
      },
    };
  }

  const kept = async () =>
    (
      await installation.inspect<{ id: string }>(
        "SELECT external_id AS id FROM observations WHERE external_id LIKE 'c%'",
      )
    ).map(({ id }) => id);

  const full = {
    status: 503,
    message: expect.stringContaining("The disk of the server is full, so nothing was written"),
  };

  /** There is room: captures go on by themselves, and each that was acknowledged is there once. */
  async function goesOn(captures: ReturnType<typeof capturing>, pid: number) {
    rmSync(filler());
    const before = captures.acknowledged.length;
    await expect.poll(() => captures.acknowledged.length, { timeout: 90_000 }).toBeGreaterThan(before + 20);
    await captures.stop();
    expect(installation.pid(), "no one started it again").toBe(pid);
    const ids = await kept();
    expect(new Set(ids).size, "each once").toBe(ids.length);
    expect(captures.acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
  }

  test.each([
    ["slowly", 100 * MB],
    ["at once, to the last byte", 0],
  ])(
    "that fills %s: writes are refused and reads go on, until there is room",
    { timeout: 300_000 },
    async (_, left) => {
      const pid = installation.pid();
      const captures = capturing();
      await expect.poll(() => captures.acknowledged.length).toBeGreaterThan(50);
      fillUpTo(left);
      await sleep(LOOKS_WITHIN_MS);
      fillUpTo(0);
      captures.since();
      await sleep(2_000);
      const refused = captures.since();
      expect(refused.length).toBeGreaterThan(10);
      expect(refused).toEqual(refused.map(() => full));
      expect((await ask("/v2/people")).status).toBe(200);
      await goesOn(captures, pid);
    },
  );

  test("that takes the database with it: all is refused until there is room", { timeout: 300_000 }, async () => {
    const pid = installation.pid();
    const captures = capturing();
    await expect.poll(() => captures.acknowledged.length).toBeGreaterThan(50);
    // A log that cannot grow ends the server. As its superuser: the app writes no more.
    const grows = installation.inspect(`DO $$ BEGIN FOR n IN 1..500 LOOP
      PERFORM pg_logical_emit_message(false, 'test', repeat('x', 1000000)); PERFORM pg_sleep(0.02); END LOOP; END $$`);
    const ended = expect(grows).rejects.toThrow();
    await sleep(200);
    fillUpTo(0);
    await ended;
    await sleep(LOOKS_WITHIN_MS);
    captures.since();
    await sleep(2_000);
    const refused = captures.since();
    expect(refused.length).toBeGreaterThan(10);
    expect(refused.filter(({ status }) => status !== 503)).toEqual([]);
    expect((await ask("/v2/people")).status).toBe(503);
    await goesOn(captures, pid);
  });
});
