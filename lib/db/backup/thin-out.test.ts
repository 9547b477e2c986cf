import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { listBackups, MANIFEST, type Manifest, requireWhole } from "./manifest.ts";
import { momentsOf } from "./recovery.ts";
import { type Storage, writeText } from "./storage.ts";
import { thinOut } from "./thin-out.ts";
import { folderOf, type Reach, readReach, segmentsBetween, writeReach } from "./wal.ts";

const now = Date.parse("2026-11-27T12:00:00Z");
const until = new Date(now).toISOString();
const segments = [1, 2, 3].map((n) => `00000001000000000000000${n}`) as [string, string, string];
const [lost, living] = ["abc123", "def456"];
/** Two that are superfluous, each of which alone needs some log, and three that stay. */
const made: [at: string, stream: string | null, segment: string][] = [
  ["2024-01-02T10:00:00.000Z", lost, segments[0]],
  ["2024-01-02T11:00:00.000Z", null, ""],
  ["2026-11-20T08:00:00.000Z", living, segments[0]],
  ["2026-11-20T11:00:00.000Z", living, segments[1]],
  ["2026-11-27T11:00:00.000Z", living, segments[2]],
];
const nameOf = (at: string) => `rapport-${at.slice(0, 19).replaceAll(":", "-")}Z`;

const nameAt = (place: number) => nameOf(made[place]?.[0] ?? "");

async function fill(storage: Storage): Promise<void> {
  const bytes = "database";
  const sha256 = "3549b0028b75d981cdda2e573e9cb49dedc200185876df299f912b79f69dabd8";
  for (const [made_at, stream, segment] of made) {
    const database = { file: "database.tar.zst", bytes: bytes.length, sha256, unpacked: 1 };
    const wal = stream === null ? {} : { wal: { stream, segment, from: made_at } };
    const counts = { before: {}, after: {} };
    const manifest: Manifest = {
      format: 1,
      rapport: "1",
      postgres: "18",
      made_at,
      seconds: 1,
      database,
      ...wal,
      counts,
    };
    await writeText(storage, `${nameOf(made_at)}/database.tar.zst`, bytes);
    await writeText(storage, `${nameOf(made_at)}/${MANIFEST}`, JSON.stringify(manifest));
  }
  for (const stream of [lost, living]) {
    for (const segment of segments) await writeText(storage, `${folderOf({ stream })}/${segment}.zst`, "log");
    await writeReach({ storage, stream }, { lsn: "0/4000000", until });
  }
}

/** Files in memory: hundreds of them are made and removed. What the storages of backups do is in storage.test.ts. */
function inMemory(): Storage {
  const files = new Map<string, Buffer>();
  const namesIn = (folder: string) => [...files.keys()].filter((name) => name.startsWith(`${folder}/`));
  return {
    address: "memory",
    prepare: async () => undefined,
    folders: async () => [...new Set([...files.keys()].map((name) => name.replace(/\/.*/, "")))],
    files: async (folder) => namesIn(folder).map((name) => name.slice(folder.length + 1)),
    read: async (name) => {
      const bytes = files.get(name);
      return bytes
        ? (async function* () {
            yield bytes;
          })()
        : null;
    },
    write: async (name, pieces) => void files.set(name, await buffer(pieces as AsyncIterable<Uint8Array>)),
    remove: async (names) => {
      for (const name of names) files.delete(name);
    },
    removeFolder: async (folder) => {
      for (const name of namesIn(folder)) files.delete(name);
    },
    room: async () => Number.POSITIVE_INFINITY,
  };
}

class Killed extends Error {}

/** A storage whose process is killed before its step number `left`; folders are removed a file at a time. */
function dying(storage: Storage, left: number): Storage {
  let steps = left;
  const step = async (work: () => Promise<void>) => {
    if (steps-- === 0) throw new Killed();
    await work();
  };
  const remove = async (names: readonly string[]) => {
    for (const name of names) await step(() => storage.remove([name]));
  };
  return {
    ...storage,
    remove,
    removeFolder: async (folder) => {
      await remove((await storage.files(folder)).map((name) => `${folder}/${name}`));
      await step(() => storage.removeFolder(folder));
    },
  };
}

/** Everything that is listed is whole, and has the log for the moments that it offers. */
async function requireRestorable(storage: Storage): Promise<void> {
  for (const backup of await listBackups(storage)) {
    const { manifest } = backup;
    await requireWhole(backup, manifest);
    if (!manifest.wal || !(await momentsOf(backup, manifest))) continue;
    const stream = { storage, stream: manifest.wal.stream };
    const needed = segmentsBetween(manifest.wal.segment, (await readReach(stream)) as Reach);
    expect(await storage.files(folderOf(stream))).toEqual(expect.arrayContaining(needed.map((name) => `${name}.zst`)));
  }
}

async function stateOf(storage: Storage): Promise<unknown> {
  const listed = (await listBackups(storage)).map(({ name }) => name);
  return {
    listed,
    log: await storage.files(folderOf({ stream: living })),
    lost: await storage.files(folderOf({ stream: lost })),
  };
}

test("killed before any step, what is left can be restored, and the next time does the rest", async () => {
  const whole = inMemory();
  await fill(whole);
  expect(await thinOut(whole, now)).toEqual([2, 0].map(nameAt));
  const thinned = await stateOf(whole);
  expect(thinned).toEqual({
    listed: [4, 3, 1].map(nameAt),
    log: expect.arrayContaining(["archive.json", `${segments[1]}.zst`, `${segments[2]}.zst`]),
    lost: [],
  });
  expect(await whole.files(folderOf({ stream: living }))).toHaveLength(3);
  expect(await thinOut(whole, now)).toEqual([]);

  let kills = 0;
  for (let isKilled = true; isKilled; kills++) {
    const storage = inMemory();
    await fill(storage);
    isKilled = await thinOut(dying(storage, kills), now).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Killed) return true;
        throw error;
      },
    );
    await requireRestorable(storage);
    expect((await listBackups(storage)).map(({ name }) => name)).toEqual(expect.arrayContaining([4, 3, 1].map(nameAt)));
    await thinOut(storage, now);
    expect(await stateOf(storage)).toEqual(thinned);
    await requireRestorable(storage);
  }
  expect(kills).toBeGreaterThan(10);
});
