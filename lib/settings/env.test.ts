import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { EnvError, readEnv } from "./env.ts";
import { envExample } from "./env-example.ts";

const problemsOf = (source: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readEnv(source);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    return (error as EnvError).problems;
  }
};

const source = (values: Record<string, string>) => values as unknown as NodeJS.ProcessEnv;
const key = Buffer.alloc(32, 7).toString("base64");

describe("readEnv", () => {
  it("has a default for every variable that needs a value", () => {
    expect(readEnv(source({}))).toMatchObject({
      PORT: 3000,
      HOST: "0.0.0.0",
      RAPPORT_DATA_DIR: path.resolve(".data"),
      DATABASE_POOL_SIZE: 10,
      DEFAULT_PLAN: "scale",
      RATE_LIMIT_PER_MINUTE: 6000,
      CORS_ORIGINS: [],
      TRUST_PROXY: 0,
      SIGNUPS: undefined,
      DATABASE_URL: undefined,
      SHUTDOWN_SECONDS: 10,
    });
  });

  it("treats an empty value as unset", () => {
    expect(readEnv(source({ PORT: "", SESSION_SECRET: " ", RAPPORT_NOTHING: "" }))).toEqual(readEnv(source({})));
  });

  it("reads how often to back up, and where to is needed", () => {
    const every = (BACKUP_EVERY: string) => source({ BACKUP_TO: "/mnt/backups", BACKUP_EVERY });
    expect([readEnv(every("24h")).BACKUP_EVERY, readEnv(every("2d")).BACKUP_EVERY]).toEqual([86_400_000, 172_800_000]);
    for (const text of ["24", "0h", "31d", "1h30m"]) expect(problemsOf(every(text))).toHaveLength(1);
    expect(problemsOf(source({ BACKUP_EVERY: "24h" }))).toEqual([expect.stringContaining("BACKUP_TO is not set")]);
  });

  it("demands OIDC of everyone only with a provider", () => {
    expect(readEnv(source({ SIGN_IN_DEMAND: "second_factor" })).SIGN_IN_DEMAND).toBe("second_factor");
    expect(problemsOf(source({ SIGN_IN_DEMAND: "oidc" }))).toEqual([expect.stringContaining("OIDC_ISSUER is not set")]);
    expect(problemsOf(source({ SIGN_IN_DEMAND: "both" }))).toHaveLength(1);
  });

  it("takes the password of the database from one place", () => {
    const database = (DATABASE_URL: string) =>
      problemsOf(source({ DATABASE_URL, DATABASE_PASSWORD_FILE: "/run/secrets/password" }));
    expect(database("postgres://rapport@db/rapport")).toEqual([]);
    expect(database("postgres://rapport:hunter2@db/rapport")).toEqual([
      "DATABASE_URL has a password; expected none in it, because DATABASE_PASSWORD_FILE is set",
    ]);
    expect(problemsOf(source({ DATABASE_PASSWORD_FILE: "/x" }))).toHaveLength(1);
    const DATABASE_URL = "postgres://rapport@db/rapport";
    expect(problemsOf(source({ DATABASE_URL, DATABASE_PASSWORD_FILE: "/x", PGPASSWORD: "old" }))).toEqual([
      "PGPASSWORD is set; expected no value, because DATABASE_PASSWORD_FILE is set",
    ]);
    expect(problemsOf(source({ DATABASE_URL, PGPASSWORD: "used" }))).toEqual([]);
  });

  it("reads a secret from the file that NAME_FILE names, and names what is wrong with it", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "rapport-env-"));
    const file = (name: string, text: string) => {
      writeFileSync(path.join(folder, name), text);
      return path.join(folder, name);
    };
    try {
      const SMTP_URL_FILE = file("smtp", "smtps://me:sekret@mail.example:465\n");
      expect(readEnv(source({ SMTP_URL_FILE })).SMTP_URL).toBe("smtps://me:sekret@mail.example:465");
      const OIDC_CLIENT_SECRET_FILE = file("oidc", "sekret");
      const oidc = { OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "rapport", OIDC_CLIENT_SECRET_FILE };
      expect(readEnv(source(oidc)).OIDC_CLIENT_SECRET).toBe("sekret");
      const empty = file("empty", "\n");
      const gone = path.join(folder, "gone");
      for (const [values, problem] of [
        [{ SMTP_URL_FILE: empty }, `SMTP_URL_FILE is ${empty}, which is empty; expected a secret`],
        [{ SMTP_URL_FILE: gone }, `SMTP_URL_FILE is ${gone}, which cannot be read (ENOENT); expected a file`],
        [{ SMTP_URL_FILE, SMTP_URL: "smtp://x" }, "SMTP_URL is set beside SMTP_URL_FILE; expected one of them"],
      ] as const)
        expect(problemsOf(source(values))).toEqual([problem]);
      expect(problemsOf(source({ SESSION_SECRET_FILE: file("short", "sekret") }))).toEqual([
        expect.stringMatching(/^SESSION_SECRET has 6 characters/),
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("refuses each setting that leads to another machine without TLS where REQUIRE_TLS is true", () => {
    const plain = {
      APP_URL: "http://rapport.example",
      DATABASE_URL: "postgres://a:sekret@db.example/c",
      SMTP_URL: "smtp://a:sekret@mail.example",
      LLM_URL: "http://10.0.0.1/v1",
      LLM_MODEL: "m",
    };
    const problems = problemsOf(source({ ...plain, REQUIRE_TLS: "true" }));
    expect(problems).toEqual([
      "DATABASE_URL leads to another machine without TLS; expected ?sslmode=verify-full, because REQUIRE_TLS is true",
      "SMTP_URL leads to another machine without TLS; expected smtps://, or ?requireTLS=true, because REQUIRE_TLS is true",
      "APP_URL leads to another machine without TLS; expected https://, because REQUIRE_TLS is true",
      "LLM_URL leads to another machine without TLS; expected https://, because REQUIRE_TLS is true",
    ]);
    expect(problemsOf(source(plain))).toEqual([]);
    const encrypted = {
      APP_URL: "https://rapport.example",
      DATABASE_URL: "postgres://a:sekret@db.example/c?sslmode=verify-full",
      SMTP_URL: "smtps://a:sekret@mail.example",
      LLM_URL: "http://localhost:11434/v1",
      LLM_MODEL: "m",
    };
    expect(problemsOf(source({ ...encrypted, REQUIRE_TLS: "true" }))).toEqual([]);
  });

  it("takes a comma in SESSION_SECRET for one between secrets only where each of them is long enough", () => {
    const [one, other] = ["s".repeat(32), "t".repeat(40)];
    expect(readEnv(source({ SESSION_SECRET: `${one}, ${other}` })).SESSION_SECRET).toEqual([one, other]);
    for (const phrase of ["a passphrase of before, with a comma in it", ",".repeat(40)])
      expect(readEnv(source({ SESSION_SECRET: phrase })).SESSION_SECRET).toEqual([phrase]);
  });

  it("cannot be changed", () => {
    expect(() => Object.assign(readEnv(source({})), { PORT: 1 })).toThrow(TypeError);
  });

  it("reads lists, origins and keys", () => {
    const env = readEnv(
      source({
        APP_URL: "https://Rapport.Example.com/",
        CORS_ORIGINS: "https://a.example, http://localhost:5173,https://a.example",
        ENCRYPTION_KEY: `k2:${key}, k1:${key}`,
      }),
    );
    expect(env.APP_URL).toBe("https://rapport.example.com");
    expect(env.CORS_ORIGINS).toEqual(["https://a.example", "http://localhost:5173"]);
    expect(env.ENCRYPTION_KEY?.map(({ id, key }) => [id, key.length])).toEqual([
      ["k2", 32],
      ["k1", 32],
    ]);
  });

  it.each([
    [{ PORT: "http" }, /^PORT is "http", which is not a whole number; expected a whole number from 0 to 65535/],
    [{ PORT: "70000" }, /^PORT is "70000", which is out of range/],
    [
      { DATABASE_DIRECT_URL: "postgres://a/b" },
      /^DATABASE_URL is not set; expected a value, because DATABASE_DIRECT_URL is set$/,
    ],
    [{ APP_URL: "rapport.example.com" }, /^APP_URL is .* which is not an absolute URL/],
    [{ APP_URL: "https://a.example/app" }, /^APP_URL .* has more than scheme, host and port/],
    [{ SIGNUPS: "closed" }, /^SIGNUPS is "closed", which is not one of the choices; expected open or invite$/],
    [{ CORS_ORIGINS: "https://a.example,*" }, /^CORS_ORIGINS /],
    [{ DATABASE_URL: "mysql://u:sekret@h/d" }, /^DATABASE_URL has the scheme mysql:\/\/; expected postgres:/],
    [{ SESSION_SECRET: "sekret" }, /^SESSION_SECRET has 6 characters; expected at least 32/],
    [{ SESSION_SECRET: " , " }, /^SESSION_SECRET has 1 characters; expected at least 32/],
    [{ SESSION_IDLE: "31d" }, /^SESSION_IDLE is "31d", which is out of range/],
    [{ ENCRYPTION_KEY: "k1:c2VrcmV0" }, /^ENCRYPTION_KEY holds a key of 6 bytes/],
    [{ ENCRYPTION_KEY: `k1:${key},k1:${key}` }, /^ENCRYPTION_KEY names a key id twice/],
    [
      { GOOGLE_CLIENT_ID: "id" },
      /^GOOGLE_CLIENT_SECRET is not set; expected a value, because GOOGLE_CLIENT_ID is set$/,
    ],
    [{ RAPPORT_DATADIR: "x" }, /^RAPPORT_DATADIR is not a variable of Rapport; did you mean RAPPORT_DATA_DIR\?$/],
    [{ RAPPORT_PORT: "1" }, /^RAPPORT_PORT is not a variable of Rapport; did you mean PORT\?$/],
    [{ RAPPORT_COLOUR: "red" }, /^RAPPORT_COLOUR is not a variable of Rapport; expected a name from .env.example$/],
  ])("names what is wrong with %j", (values, line) => {
    const problems = problemsOf(source(values));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(line);
    expect(problems[0]).not.toContain("sekret");
  });

  it("names every problem at once", () => {
    expect(problemsOf(source({ PORT: "x", TRUST_PROXY: "y", OIDC_ISSUER: "https://id.example" }))).toHaveLength(4);
  });
});

describe(".env.example", () => {
  const text = readFileSync(path.join(import.meta.dirname, "../../.env.example"), "utf8");

  it("is what `node bin/env-example.ts` writes", () => {
    expect(text).toBe(envExample());
  });

  it("means the same as an empty environment", () => {
    expect(readEnv(parseEnv(text) as unknown as NodeJS.ProcessEnv)).toEqual(readEnv(source({})));
  });
});
