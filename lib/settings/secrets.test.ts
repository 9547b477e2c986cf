import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readEnv } from "./env.ts";
import { loadSecrets, sessionSecretsOf } from "./secrets.ts";

let folder: string;
const load = (values: Record<string, string> = {}) =>
  loadSecrets(readEnv({ RAPPORT_DATA_DIR: folder, ...values } as unknown as NodeJS.ProcessEnv));
const file = () => path.join(folder, "secrets.json");
const modeOf = (name: string) => statSync(name).mode & 0o777;

describe("loadSecrets", () => {
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "rapport-secrets-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("generates them once, in a file that only this user can read", () => {
    const secrets = load();
    expect(secrets.sessionSecret.length).toBeGreaterThanOrEqual(32);
    expect(secrets.encryptionKeys).toHaveLength(1);
    expect(modeOf(file())).toBe(0o600);
    expect(load()).toEqual(secrets);
  });

  it("writes no file when the environment has both", () => {
    const given = Buffer.alloc(32, 1);
    const secrets = load({ SESSION_SECRET: "s".repeat(32), ENCRYPTION_KEY: `mine:${given.toString("base64")}` });
    const encryptionKeys = [{ id: "mine", key: given }];
    expect(secrets).toEqual({ sessionSecret: "s".repeat(32), oldSessionSecrets: [], encryptionKeys });
    expect(statSync(file(), { throwIfNoEntry: false })).toBeUndefined();
  });

  it("seals sessions with the first secret of a list, and opens them with all", () => {
    const [now, before] = ["n".repeat(32), "b".repeat(32)];
    const secrets = load({ SESSION_SECRET: `${now}, ${before}` });
    expect([secrets.sessionSecret, sessionSecretsOf(secrets)]).toEqual([now, [now, before]]);
  });

  it("encrypts with the environment's key and still decrypts with the generated one", () => {
    const before = load();
    const after = load({ ENCRYPTION_KEY: `mine:${Buffer.alloc(32, 1).toString("base64")}` });
    expect(after.encryptionKeys.map(({ id }) => id)).toEqual(["mine", before.encryptionKeys[0]?.id]);
    expect(after.sessionSecret).toBe(before.sessionSecret);
  });

  it("removes other users' access to the file", () => {
    load();
    chmodSync(file(), 0o644);
    load();
    expect(modeOf(file())).toBe(0o600);
  });

  it("refuses a damaged file and leaves it alone", () => {
    writeFileSync(file(), "{", { mode: 0o600 });
    expect(() => load()).toThrow(/secrets\.json is damaged: restore it from a backup/);
    expect(readFileSync(file(), "utf8")).toBe("{");
  });
});
