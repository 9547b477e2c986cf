import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { variables } from "#lib/settings/env.ts";
import { inProject } from "./project.ts";

const compose = readFileSync(inProject("compose.yaml"), "utf8");

describe("docker compose up", () => {
  test("has no default but the port: no password, no key", () => {
    const defaults = [...compose.matchAll(/\$\{(\w+):?-([^}]+)\}/g)].map(([, name, value]) => [name, value]);
    expect(defaults).toEqual([["PORT", "3000"]]);
  });

  test("connects to Postgres by a socket that no network reaches, without a password", () => {
    const url = new URL(/DATABASE_URL: (\S+)/.exec(compose)?.[1] ?? "");
    expect([url.username, url.password, url.searchParams.get("host")]).toEqual(["rapport", "", "/var/run/postgresql"]);
    expect(compose.match(/socket:\/var\/run\/postgresql/g)).toHaveLength(2);
    expect(compose).toContain("exec docker-entrypoint.sh postgres -c listen_addresses=");
    expect(compose.match(/ports:/g)).toHaveLength(1);
  });
});

test("no secret among the settings has a default", () => {
  const secrets = Object.entries(variables).filter(([, variable]) => "secret" in variable);
  expect(secrets.length).toBeGreaterThan(10);
  expect(secrets.filter(([, variable]) => "fallback" in variable)).toEqual([]);
});
