import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  answerTo,
  hostOf,
  implied,
  isDocumentId,
  isOwnOrigin,
  isRedirectUri,
  isRegistered,
  lifetimes,
  namesResource,
  plainName,
  scopesIn,
  verifies,
} from "./rules.ts";

describe("a redirect URI", () => {
  test.each([
    "https://claude.ai/api/mcp/auth_callback",
    "https://app.example:8443/cb?from=rapport",
    "http://localhost:33418/callback",
    "http://127.0.0.1/callback",
    "http://[::1]:9/",
    "http://localhost",
    "https://www.cursor.com/agents/mcp/oauth/callback",
    "https://vscode.dev/redirect",
    "com.example.app:/oauth",
    "com.example.app://oauth/callback",
    "COM.example.my-app:/oauth",
  ])("may be %s", (uri) => expect(isRedirectUri(uri)).toBe(true));

  test.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "blob:https://a.example/1",
    "file:///etc/passwd",
    "view-source:https://a.example",
    "ms-msdt:/id",
    "intent://x#Intent;end",
    "feed:javascript:alert(1)",
    "x-javascript:alert(1)",
    "feed://https://a.example/",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "vscode://vscode.github-authentication/did-authenticate",
    "myapp:/cb",
    "com.example.app:",
    "com.example.app:cb",
    "com.example.app:javascript:alert(1)",
    "com..example:/cb",
    ".example:/cb",
    "com.:/cb",
    "http://app.example/cb",
    "http://localhost.evil.example/cb",
    "http://localhost@evil.example/cb",
    "http://127.0.0.1.evil.example/",
    "http://127.0.0.1:80:90/",
    "https://user:pw@app.example/cb",
    "https://app.example/cb#fragment",
    "https://app.example/cb\n",
    "https://app.example\\@evil.example/",
    "https://app.example/a b",
    "//app.example/cb",
    "/cb",
    "",
    `https://app.example/${"a".repeat(2048)}`,
  ])("may not be %j", (uri) => expect(isRedirectUri(uri)).toBe(false));

  test.each([
    ["https://app.example/cb", "https://app.example/cb", true],
    ["https://app.example/cb", "https://app.example/cb/", false],
    ["https://app.example/cb", "https://app.example/cb?x=1", false],
    ["https://app.example/cb", "https://app.example:8443/cb", false],
    ["https://app.example/cb", "https://APP.example/cb", false],
    ["http://127.0.0.1:1000/cb", "http://127.0.0.1:2000/cb", true],
    ["http://127.0.0.1/cb", "http://127.0.0.1:2000/cb", true],
    ["http://localhost:1/cb", "http://localhost/cb", true],
    ["http://[::1]:1/cb", "http://[::1]:2/cb", true],
    ["http://127.0.0.1/cb", "http://localhost/cb", false],
    ["http://127.0.0.1/cb", "http://127.0.0.1:2000/other", false],
    ["http://127.0.0.1/cb", "http://127.0.0.1:2000/cb?x=1", false],
    ["http://127.0.0.1/cb", "https://127.0.0.1/cb", false],
    ["javascript:alert(1)", "javascript:alert(1)", false],
  ])("registered as %s, given as %s: %s", (registered, given, expected) =>
    expect(isRegistered(given, [registered])).toBe(expected),
  );
});

describe("the origin of a page", () => {
  const registered = ["https://app.example/callback", "http://localhost:6274/oauth/callback", "com.example.app:/cb"];
  test.each([
    ["https://app.example", true],
    ["http://localhost:6274", true],
    ["http://localhost:5173", true],
    ["https://app.example:8443", false],
    ["http://app.example", false],
    ["https://app.example.evil.example", false],
    ["https://localhost:6274", false],
    ["http://127.0.0.1:6274", false],
    ["com.example.app://", false],
    ["null", false],
    ["", false],
  ])("%j is one of the client's: %j", (origin, expected) => expect(isOwnOrigin(origin, registered)).toBe(expected));
});

test.each([
  ["https://app.example/client.json", true],
  ["https://app.example:8443/client", true],
  ["https://app.example/", false],
  ["https://app.example", false],
  ["http://app.example/client.json", false],
  ["https://app.example/a/../client.json", false],
  ["https://app.example/client.json?v=1", false],
  ["https://app.example/client.json#a", false],
  ["https://u:p@app.example/client.json", false],
  ["https://APP.example/client.json", false],
  ["client_123", false],
])("%s as the address of a client's document: %s", (id, expected) => expect(isDocumentId(id)).toBe(expected));

test.each([
  ["http://127.0.0.1:1/cb", "localhost"],
  ["https://claude.ai/cb", "claude.ai"],
  ["com.example.app:/cb", "com.example.app"],
])("%s is at %s", (uri, host) => expect(hostOf(uri)).toBe(host));

test.each([
  ["", ["read", "write"]],
  ["read", ["read"]],
  ["write", ["read", "write"]],
  ["admin read", ["read", "write", "admin"]],
  ["read offline_access", ["read"]],
  ["openid", null],
  ["read delete", null],
])("the scope %j is %j", (text, expected) => expect(scopesIn(text)).toEqual(expected));

test("a scope implies those before it", () => expect(implied(["admin"])).toEqual(["read", "write", "admin"]));

describe("a verifier", () => {
  const verifier = "a".repeat(43);
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  test("is the one behind the challenge", () => expect(verifies(verifier, challenge)).toBe(true));
  test.each([["b".repeat(43)], ["a".repeat(42)], ["a".repeat(129)], [challenge], [`${verifier}\n`], [""]])(
    "is not %j",
    (other) => expect(verifies(other, challenge)).toBe(false),
  );
  test("is never the challenge itself, as `plain` would have it", () =>
    expect(verifies(verifier, verifier)).toBe(false));
});

test.each([
  ["https://r.example/mcp", true],
  ["https://R.example/mcp", true],
  ["https://r.example/mcp/", true],
  ["https://r.example", false],
  ["https://r.example/mcp?x=1", false],
  ["https://r.example/mcp#x", false],
  ["https://r.example:8443/mcp", false],
  ["http://r.example/mcp", false],
  ["mcp", false],
])("%s as a resource: %s", (given, expected) => expect(namesResource(given, "https://r.example/mcp")).toBe(expected));

test("a name holds nothing that forges the page around it", () => {
  expect(plainName("  Claude\u202e\n\u0000 Code\u200b ")).toBe("Claude Code");
  expect(plainName("\u202e")).toBe("");
  expect(plainName("x".repeat(500))).toHaveLength(100);
});

test("an answer keeps the query that the client registered", () => {
  expect(answerTo("https://a.example/cb?x=1", { code: "c", state: undefined, iss: "https://r" })).toBe(
    "https://a.example/cb?x=1&code=c&iss=https%3A%2F%2Fr",
  );
  expect(answerTo("com.example.app:/cb", { error: "access_denied" })).toBe("com.example.app:/cb?error=access_denied");
});

const DAY = 86_400;
test.each([
  ["at its beginning", 0, { access: 3_600, refresh: 30 * DAY }],
  ["335 days later", 335 * DAY, { access: 3_600, refresh: 30 * DAY }],
  ["on its last day", 364 * DAY, { access: 3_600, refresh: DAY }],
  ["in its last minute", 365 * DAY - 60, { access: 60, refresh: 60 }],
  ["at its end", 365 * DAY, { access: 0, refresh: 0 }],
  ["after it", 400 * DAY, { access: 0, refresh: 0 }],
])("tokens of a connection end with its year: %s", (_when, age, expected) => {
  const now = new Date("2026-11-27T12:00:00Z");
  expect(lifetimes(new Date(now.getTime() - age * 1_000), now)).toEqual(expected);
});
