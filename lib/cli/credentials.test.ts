import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { credentials, keepSignIn, originIn, readSignIn, serverUrl, signInFile } from "./credentials.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "rapport-credentials-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const here = (more: Record<string, string> = {}) => ({ XDG_CONFIG_HOME: home, ...more });
const signIn = { url: "https://rapport.example.com", api_key: "rpt_file", workspace_id: "w" };

describe("an address", () => {
  test.each([
    ["https://rapport.example.com/", "https://rapport.example.com"],
    ["rapport.example.com", "https://rapport.example.com"],
    ["localhost:3000", "http://localhost:3000"],
    ["127.0.0.1:3000/", "http://127.0.0.1:3000"],
    ["http://rapport.local:8080/acme", "http://rapport.local:8080"],
  ])("%s is %s", (text, origin) => {
    expect(originIn(text)).toBe(origin);
  });

  test.each(["", "ftp://x", "file:///etc/passwd", "https://user:secret@x.com", "javascript:alert(1)"])(
    "%j is refused",
    (text) => {
      expect(() => originIn(text)).toThrow("is no address of a server");
    },
  );
});

describe("the sign-in", () => {
  test("is in ~/.config unless XDG_CONFIG_HOME names another folder", () => {
    expect(signInFile({})).toBe(path.join(homedir(), ".config/rapport/config.json"));
    expect(signInFile({ XDG_CONFIG_HOME: "relative" })).toBe(signInFile({}));
    expect(signInFile(here())).toBe(path.join(home, "rapport/config.json"));
  });

  test("is readable for its owner only, also when it replaces one that was not", () => {
    mkdirSync(path.join(home, "rapport"));
    writeFileSync(signInFile(here()), "{}", { mode: 0o644 });
    keepSignIn(signIn, here());
    expect(statSync(signInFile(here())).mode & 0o777).toBe(0o600);
    expect(readSignIn(here())).toEqual(signIn);
  });

  test("that does not exist is none, a damaged one is named", () => {
    expect(readSignIn(here())).toBeNull();
    mkdirSync(path.join(home, "rapport"));
    for (const text of ["", "{", "[]", '{"url":"x"}', "null"]) {
      writeFileSync(signInFile(here()), text);
      expect(() => readSignIn(here()), text).toThrow("is damaged: delete it and run `rapport login`");
    }
  });
});

describe("which server and key", () => {
  const fromFile = { url: signIn.url, key: "rpt_file", keyFrom: expect.stringContaining("config.json") };
  const fromEnvironment = { key: "rpt_env", keyFrom: "RAPPORT_API_KEY" };
  test.each<[string, string | undefined, Record<string, string>, object]>([
    ["the sign-in", undefined, {}, fromFile],
    ["the sign-in, by the same address", "rapport.example.com", {}, fromFile],
    ["an empty variable is none", undefined, { RAPPORT_URL: "", RAPPORT_API_KEY: "" }, fromFile],
    ["the environment's key", undefined, { RAPPORT_API_KEY: "rpt_env" }, { url: signIn.url, ...fromEnvironment }],
    [
      "the environment's server and key",
      undefined,
      { RAPPORT_API_KEY: "rpt_env", RAPPORT_URL: "https://other.example.com" },
      { url: "https://other.example.com", ...fromEnvironment },
    ],
    [
      "--url before RAPPORT_URL",
      "https://third.example.com",
      { RAPPORT_API_KEY: "rpt_env", RAPPORT_URL: "https://other.example.com" },
      { url: "https://third.example.com", ...fromEnvironment },
    ],
  ])("%s", (_, given, env, expected) => {
    keepSignIn(signIn, here());
    expect(credentials(given, here(env))).toEqual(expected);
  });

  test("a damaged file does not matter where the environment says both", () => {
    mkdirSync(path.join(home, "rapport"));
    writeFileSync(signInFile(here()), "{");
    const env = here({ RAPPORT_API_KEY: "rpt_env", RAPPORT_URL: "https://other.example.com" });
    expect(credentials(undefined, env)).toMatchObject({ url: "https://other.example.com", key: "rpt_env" });
    expect(() => credentials(undefined, here({ RAPPORT_API_KEY: "rpt_env" }))).toThrow("is damaged");
  });

  test("the sign-in's key is sent to no other server", () => {
    keepSignIn(signIn, here());
    const elsewhere = () => credentials(undefined, here({ RAPPORT_URL: "https://evil.example.com" }));
    expect(elsewhere).toThrow("You are signed in to https://rapport.example.com, not to https://evil.example.com.");
  });

  test("without any it is this machine's server, and no key", () => {
    expect(serverUrl(undefined, null, here())).toBe("http://localhost:3000");
    expect(() => credentials(undefined, here())).toThrow("You are not signed in. Run `rapport login`");
  });
});
