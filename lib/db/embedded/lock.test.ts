import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tryLock, waitForLock } from "./lock.ts";

let folder: string;
const file = () => path.join(folder, "a.lock");

describe("a lock", () => {
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "rapport-lock-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("keeps everyone else out until it is released", () => {
    const lock = tryLock(file());
    expect(lock).toBeDefined();
    expect(tryLock(file())).toBeUndefined();
    expect(tryLock(file(), "shared")).toBeUndefined();
    lock?.release();
    const next = tryLock(file());
    expect(next).toBeDefined();
    next?.release();
  });

  it("can be shared by many, and then no one gets it exclusively", () => {
    const [one, two] = [tryLock(file(), "shared"), tryLock(file(), "shared")];
    expect(one && two).toBeDefined();
    expect(tryLock(file())).toBeUndefined();
    one?.release();
    expect(tryLock(file())).toBeUndefined();
    two?.release();
    tryLock(file())?.release();
  });

  it("ends with the process that holds it, even after a kill", async () => {
    const module = path.join(import.meta.dirname, "lock.ts");
    const code = `const { tryLock } = await import(${JSON.stringify(module)}); tryLock(${JSON.stringify(file())}); console.log("held"); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ["--input-type=module", "-e", code], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    expect(tryLock(file())).toBeUndefined();
    const waiting = waitForLock(file(), 4000);
    holder.kill("SIGKILL");
    const lock = await waiting;
    expect(lock).toBeDefined();
    lock?.release();
  });

  it("says so when the folder is not there", () => {
    expect(() => tryLock(path.join(folder, "none", "a.lock"))).toThrow(/^Cannot lock /);
  });
});
