import { beforeEach, expect, test } from "vitest";
import { setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { requireOwnAddress } from "./guard.ts";

const bootWith = (settings: Record<string, string> = {}) =>
  setBoot({
    env: readEnv(settings as NodeJS.ProcessEnv),
    databaseUrl: "",
    secrets: { sessionSecret: "", encryptionKeys: [] },
  });
beforeEach(() => bootWith());

const answerTo = (headers: Record<string, string>): string => {
  try {
    requireOwnAddress({ header: (name) => headers[name] });
    return "let in";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

const APP = { APP_URL: "https://rapport.acme.com" };

test.each<[what: string, settings: Record<string, string>, headers: Record<string, string>, answer: string]>([
  ["this machine", {}, { host: "localhost:3000" }, "let in"],
  ["a name of somebody else", {}, { host: "evil.example" }, "host_not_allowed"],
  ["the address of people, as set", APP, { host: "rapport.acme.com" }, "let in"],
  ["the address of people, when it is not set", {}, { host: "rapport.acme.com" }, "host_not_allowed"],
  ["this machine, though people use another address", APP, { host: "127.0.0.1:3000" }, "let in"],
  [
    "a trusted proxy that names the host",
    { TRUST_PROXY: "1" },
    { host: "internal", "x-forwarded-host": "x.com" },
    "let in",
  ],
  ["a host named by nobody we trust", {}, { host: "internal", "x-forwarded-host": "localhost" }, "host_not_allowed"],
  ["a page of ours", APP, { host: "rapport.acme.com", origin: APP.APP_URL }, "let in"],
  ["a page elsewhere", APP, { host: "rapport.acme.com", origin: "https://evil.example" }, "origin_not_allowed"],
  ["a sandboxed page", {}, { host: "localhost:3000", origin: "null" }, "origin_not_allowed"],
  ["a page on this machine", {}, { host: "localhost:3000", origin: "http://localhost:6274" }, "let in"],
  [
    "a page on the caller's machine",
    APP,
    { host: "rapport.acme.com", origin: "http://localhost:6274" },
    "origin_not_allowed",
  ],
  [
    "a page in CORS_ORIGINS",
    { ...APP, CORS_ORIGINS: "https://a.com" },
    { host: "rapport.acme.com", origin: "https://a.com" },
    "let in",
  ],
])("%s", (_, settings, headers, answer) => {
  bootWith(settings);
  expect(answerTo(headers)).toBe(answer);
});
