import { hostname, networkInterfaces } from "node:os";
import { beforeEach, describe, expect, test } from "vitest";
import { setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { originOf } from "./origin.ts";
import { isHost, ownHost } from "./own-hosts.ts";

const bootWith = (settings: Record<string, string> = {}) =>
  setBoot({
    env: readEnv({ PORT: "4321", ...settings } as Record<string, string> as NodeJS.ProcessEnv),
    databaseUrl: "",
    secrets: { sessionSecret: "", encryptionKeys: [] },
  });
beforeEach(() => bootWith());

const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
const anIPv4 = interfaces.find(({ family }) => family === "IPv4")?.address as string;

describe("a Host that names this machine", () => {
  test.each([
    "localhost",
    "localhost:3000",
    "LOCALHOST:3000",
    "rapport.localhost:3000",
    "127.0.0.1:4200",
    "127.1.2.3",
    "[::1]:3000",
    "0.0.0.0:3000",
    `${anIPv4}:3000`,
    hostname(),
    `${hostname()}.local:3000`,
  ])("%s is taken over", (host) => {
    expect(ownHost(host)).toBe(host.toLowerCase());
  });

  test.each([
    undefined,
    "",
    "evil.example",
    "evil.example:3000",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "evil-localhost",
    "203.0.113.7",
    "[2001:db8::1]",
    "localhost@evil.example",
    "evil.example#localhost",
    "localhost/evil",
    "localhost:99999",
    "localhost evil",
    "[::1",
    "xn--lcalhost-f1a",
  ])("is none of %j", (host) => {
    expect(ownHost(host)).toBeNull();
  });
});

test.each([
  ["acme.example:443", true],
  ["my_server", true],
  ["[fe80::1]:80", true],
  ["", true],
  ["a b", false],
  ["a,b", false],
  ["user@host", false],
  ["host/path", false],
  ["<script>", false],
  ["ho\u00e9st", false],
  ["host:port", false],
])("the form of the Host %j is as HTTP wants it: %s", (host, right) => {
  expect(isHost(host)).toBe(right);
});

describe("links", () => {
  const origin = (headers: Record<string, string>) => originOf({ header: (name) => headers[name] });

  test("lead to the requested host when it is this machine's own, else to localhost", () => {
    expect(origin({ host: "localhost:9000" })).toBe("http://localhost:9000");
    expect(origin({ host: `${anIPv4}:9000` })).toBe(`http://${anIPv4}:9000`);
    expect(origin({ host: "evil.example" })).toBe("http://localhost:4321");
    expect(origin({})).toBe("http://localhost:4321");
    expect(origin({ host: "evil.example", "x-forwarded-host": "evil.example" })).toBe("http://localhost:4321");
  });

  test("lead to HOST when that is a name of this machine", () => {
    bootWith({ HOST: "rapport.lan" });
    expect(origin({ host: "rapport.lan:9000" })).toBe("http://rapport.lan:9000");
  });

  test("lead to APP_URL for any requested host", () => {
    bootWith({ APP_URL: "https://rapport.example" });
    expect(origin({ host: "evil.example" })).toBe("https://rapport.example");
  });

  test("lead to the host from a trusted proxy, and never to an invalid host", () => {
    bootWith({ TRUST_PROXY: "1" });
    expect(origin({ host: "internal", "x-forwarded-host": "app.example", "x-forwarded-proto": "https" })).toBe(
      "https://app.example",
    );
    expect(origin({ host: "evil.example", "x-forwarded-host": "a b", "x-forwarded-proto": "javascript" })).toBe(
      "http://localhost:4321",
    );
  });
});
