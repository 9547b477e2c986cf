import { expect, test } from "vitest";
import { readEnv } from "#lib/settings/env.ts";
import { ofEncryption, ofTargets } from "./encryption.ts";

const env = (settings: Record<string, string>) => readEnv(settings as unknown as NodeJS.ProcessEnv);

const providersAt = (...issuers: string[]): string =>
  JSON.stringify(
    issuers.map((issuer, n) => ({ id: `idp${n}`, name: "IdP", issuer, client_id: "a", client_secret: "a:b@" })),
  );

test.each<[settings: Record<string, string>, named: string | null]>([
  [{}, null],
  [{ DATABASE_URL: "postgres://a:b@localhost/c" }, null],
  [{ DATABASE_URL: "postgres://a:b@127.0.0.1:5433/c" }, null],
  [{ DATABASE_URL: "postgres://a:b@[::1]/c" }, null],
  [{ DATABASE_URL: "postgres://a@db.example/c?host=/var/run/postgresql" }, null],
  [{ DATABASE_URL: "postgres://a@%2Fvar%2Frun%2Fpostgresql/c" }, null],
  [{ APP_URL: "http://rapport.example" }, null],
  [{ DATABASE_URL: "postgres://a:b@db.example/c" }, "DATABASE_URL"],
  [{ DATABASE_URL: "postgres://a:b@db.example/c?sslmode=disable" }, "DATABASE_URL"],
  [{ DATABASE_URL: "postgres://a:b@db.example/c?sslmode=verify-full" }, null],
  [{ DATABASE_URL: "postgres://a:b@db.example/c?ssl=true" }, null],
  [
    {
      DATABASE_URL: "postgres://a:b@db.example/c?sslmode=require",
      DATABASE_DIRECT_URL: "postgres://a:b@10.0.0.1/c",
      DATABASE_REPLICA_URL: "postgres://a:b@10.0.0.2/c",
    },
    "DATABASE_DIRECT_URL, DATABASE_REPLICA_URL",
  ],
  [{ SMTP_URL: "smtp://a:b@mail.example:587" }, "SMTP_URL"],
  [{ SMTP_URL: "smtp://a:b@mail.example:587?requireTLS=true" }, null],
  [{ SMTP_URL: "smtps://a:b@mail.example" }, null],
  [{ SMTP_URL: "smtp://localhost:25" }, null],
  [{ OIDC_ISSUER: "http://idp.example", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" }, "OIDC_ISSUER"],
  [{ OIDC_ISSUER: "https://idp.example", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" }, null],
  [{ OIDC_PROVIDERS: providersAt("https://a.example", "http://b.example") }, "OIDC_PROVIDERS"],
  [{ OIDC_PROVIDERS: providersAt("https://a.example") }, null],
  [{ AUDIT_PUSH_URL: "syslog+tls://logs.example:6514" }, null],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://traces.example:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT"],
  [{ HUBSPOT_API_URL: "http://proxy.example" }, "HUBSPOT_API_URL"],
])("of the connections of %j the doctor calls %j plain", (settings, named) => {
  const finding = ofEncryption(env(settings));
  expect(finding.state).toBe(named === null ? "fine" : "warning");
  if (named !== null) expect(finding.says).toContain(`: ${named}. `);
  expect(JSON.stringify(finding)).not.toContain("a:b@");
});

test("the workspaces whose triggers send without encryption are named, the first five", () => {
  const allowed = { REQUIRE_TLS: "false" } as const;
  expect(ofTargets([], allowed).state).toBe("fine");
  expect(ofTargets(["Acme"], allowed).says).toMatch(/ in Acme\.$/);
  expect(ofTargets(["Acme"], { REQUIRE_TLS: "true" }).says).toMatch(/, which REQUIRE_TLS stops, in Acme\.$/);
  expect(ofTargets(["A", "B", "C", "D", "E", "F", "G"], allowed).says).toMatch(
    / in A, B, C, D, E and 2 more workspaces\.$/,
  );
});
