import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startS3 } from "#lib/testing/s3.fixture.ts";
import { openBackup, openStorage } from "./open-storage.ts";
import { makeKey } from "./seal.ts";
import { addressIn, readWhole, type Storage, writeText } from "./storage.ts";

const root = mkdtempSync(path.join(tmpdir(), "rapport-storage-"));
const s3 = await startS3(path.join(root, "s3"));
afterAll(async () => {
  await s3.close();
  rmSync(root, { recursive: true });
});

const [key, other] = [await makeKey(), await makeKey()];
let made = 0;
const kinds: Record<string, () => { place: string; settings: object }> = {
  "a folder": () => ({ place: path.join(root, `folder-${made++}`), settings: {} }),
  "a folder, sealed": () => ({ place: path.join(root, `folder-${made++}`), settings: { BACKUP_KEY: [key] } }),
  "a bucket": () => ({ place: `s3://${s3.bucket}`, settings: s3.settings }),
  "a prefix of a bucket, sealed": () => ({
    place: `s3://${s3.bucket}/some/prefix/`,
    settings: { ...s3.settings, BACKUP_KEY: [key] },
  }),
};

const textIn = async (storage: Storage, name: string) => (await readWhole(storage, name))?.toString() ?? null;

describe.for(Object.entries(kinds))("%s", ([title, kind]) => {
  const { place, settings } = kind();
  const storage = openStorage(place, settings);

  test("holds files in folders", async () => {
    await storage.prepare();
    expect([await storage.folders(), await storage.files("a"), await storage.read("a/one")]).toEqual([[], [], null]);
    for (const name of ["a/one", "a/two", "b/four", "wal/b/three"]) await writeText(storage, name, `text of ${name}`);
    await writeText(storage, "a/two", "another text");
    await writeText(storage, "a/empty", "");
    expect(await storage.folders()).toEqual(expect.arrayContaining(["a", "b"]));
    expect((await storage.files("a")).sort()).toEqual(["empty", "one", "two"]);
    expect(await storage.files("wal/b")).toEqual(["three"]);
    expect(await textIn(storage, "a/one")).toBe("text of a/one");
    expect(await textIn(storage, "a/two")).toBe("another text");
    expect(await textIn(storage, "a/empty")).toBe("");

    await storage.remove(["a/one", "a/never"]);
    expect((await storage.files("a")).sort()).toEqual(["empty", "two"]);
    await storage.removeFolder("a");
    await storage.removeFolder("never");
    expect(await storage.folders()).not.toContain("a");
    expect([await storage.files("a"), await storage.files("b")]).toEqual([[], ["four"]]);
    expect(await storage.room()).toBeGreaterThan(0);
  });

  test("writes what is longer than any part whole, or not at all", async () => {
    const piece = Buffer.alloc(1_000_003, "piece");
    const count = title === "a bucket" ? 17 : 2; // parts have 16 MB
    await storage.write(
      "big/file",
      Array.from({ length: count }, () => piece),
    );
    let [size, isSame] = [0, true];
    for await (const read of (await storage.read("big/file")) ?? []) {
      for (let at = 0; at < read.length; at += 99_991) isSame &&= read[at] === piece[(size + at) % piece.length];
      size += read.length;
    }
    expect([size, isSame]).toEqual([count * piece.length, true]);

    const failing = async function* () {
      for (let n = 0; n < count; n++) yield piece;
      throw new Error("the disk is broken");
    };
    await expect(storage.write("big/other", failing())).rejects.toThrow("the disk is broken");
    expect(await storage.read("big/other")).toBeNull();
    for await (const _ of (await storage.read("big/file")) ?? []) break; // nothing waits for the rest
  });
});

describe("sealed files", () => {
  const place = path.join(root, "sealed");
  const file = path.join(place, "a/file");
  const sealed = openStorage(place, { BACKUP_KEY: [key] });

  test("show nothing, and are opened by any of the keys", async () => {
    await writeText(sealed, "a/file", "what nobody reads");
    expect(readFileSync(file, "latin1")).toMatch(/^age-encryption\.org\/v1\n(?!.*nobody)/s);
    expect(await textIn(openStorage(place, { BACKUP_KEY: [other, key] }), "a/file")).toBe("what nobody reads");
    writeFileSync(path.join(place, "a/plain"), "from before there was a key");
    expect(await textIn(sealed, "a/plain")).toBe("from before there was a key");
  });

  test("name what is missing, other, cut or changed", async () => {
    const long = Buffer.alloc(300_000, "long");
    await sealed.write("a/file", [long]);
    const address = addressIn(sealed, "a/file");
    const read = (BACKUP_KEY?: string[]) => readWhole(openStorage(place, { BACKUP_KEY }), "a/file");
    await expect(read()).rejects.toThrow(`${address} is sealed: set BACKUP_KEY`);
    await expect(read([other])).rejects.toThrow(`${address} was sealed with another key than BACKUP_KEY`);
    await expect(read([key.endsWith("Q") ? key.replace(/Q$/, "P") : key.replace(/.$/, "Q")])).rejects.toThrow(
      "BACKUP_KEY holds a key that was cut or changed",
    );

    const whole = readFileSync(file);
    const [first, chunk] = [whole.length - 300_000 - 5 * 16, 65_552];
    const pieces = [0, 1, 2, 3, 4].map((n) => whole.subarray(first + n * chunk, first + (n + 1) * chunk));
    const header = whole.subarray(0, first);
    const [one, two, three, four, five] = pieces as [Buffer, Buffer, Buffer, Buffer, Buffer];
    const changes = {
      changed: Buffer.concat([header, one, Buffer.from(two).fill(0, 9, 10), three, four, five]),
      "cut at the end of a piece": Buffer.concat([header, one, two, three]),
      "cut in a piece": whole.subarray(0, -5),
      "cut in the header": whole.subarray(0, 60),
      "in another order": Buffer.concat([header, two, one, three, four, five]),
      longer: Buffer.concat([whole, five]),
    };
    for (const [what, bytes] of Object.entries(changes)) {
      writeFileSync(file, bytes);
      await expect(read([key]), what).rejects.toThrow(`The backup is broken: ${address} was cut or changed`);
    }
    writeFileSync(file, whole);
    expect((await read([key]))?.equals(long)).toBe(true);
  });

  test("an error of the file itself stays what it is", async () => {
    await expect(sealed.read("a")).rejects.toThrow(/EISDIR|is sealed|broken/);
  });
});

test("a folder that is away is named, and none is made by looking", async () => {
  const place = path.join(root, "away");
  await expect(openStorage(place, {}).folders()).rejects.toThrow(`There is no folder ${place}.`);
  expect(existsSync(place)).toBe(false);
  writeFileSync(place, "");
  await expect(openStorage(path.join(place, "below"), {}).prepare()).rejects.toThrow(/Cannot write to .*below/);
  truncateSync(place);
  expect(readdirSync(root)).toContain("away");
});

describe("a bucket", () => {
  const place = `s3://${s3.bucket}/many`;

  test("is listed to its last page", async () => {
    const pages: Record<string, string> = {
      "": "<Key>many/one/a&amp;b</Key><NextContinuationToken>2/+=</NextContinuationToken>",
      "2/+=": "<Key>many/one/c</Key>",
    };
    // The S3 server of the tests fails at a second page.
    const server = createServer(({ url }, response) => {
      const { searchParams } = new URL(url ?? "", "http://s3");
      expect(searchParams.get("prefix")).toBe("many/one/");
      response.end(pages[searchParams.get("continuation-token") ?? ""]);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const storage = openStorage(place, { ...s3.settings, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}/` });
    expect(await storage.files("one")).toEqual(["a&b", "c"]);
    server.closeAllConnections();
    server.close();
  });

  test("that cannot be used is named, and no secret with it", async () => {
    const secret = "not-the-secret";
    const each = (storage: Storage) => [
      () => storage.folders(),
      () => storage.read("a/b"),
      () => writeText(storage, "a/b", "text"),
    ];
    const refused = openStorage(place, { ...s3.settings, AWS_SECRET_ACCESS_KEY: secret });
    for (const work of each(refused))
      await expect(work()).rejects.toThrow(
        expect.objectContaining({
          message: expect.stringMatching(/^s3:\/\/\S+ answered 403: (?!.*not-the-secret)Signature/),
        }),
      );
    const missing = openStorage("s3://missing-bucket", s3.settings);
    for (const work of each(missing))
      await expect(work()).rejects.toThrow(/s3:\/\/missing-bucket answered 404: NoSuchBucket/);
    const away = openStorage(place, { ...s3.settings, AWS_ENDPOINT_URL: "http://127.0.0.1:9" });
    await expect(away.folders()).rejects.toThrow(/s3:\S+ cannot be reached at http:\/\/127.0.0.1:9: .+/);
    expect(() => openStorage(place, {})).toThrow("needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
    for (const wrong of ["s3://", "s3://Bucket", "s3://bucket/a b", "s3://bucket/../other"])
      expect(() => openStorage(wrong, s3.settings), wrong).toThrow(`${wrong} is no address of a bucket`);
  });

  test("has backups by address", () => {
    const { storage, name } = openBackup(`${place}/rapport-1/`, s3.settings);
    expect([storage.address, name]).toEqual([place, "rapport-1"]);
    expect(openBackup("/mnt/rapport-1", {})).toMatchObject({ storage: { address: "/mnt" }, name: "rapport-1" });
  });
});
