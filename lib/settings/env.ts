import { readFileSync } from "node:fs";
import path from "node:path";
import type { z } from "zod";
import { nearest } from "#lib/text/nearest.ts";
import {
  backupKeys,
  backupPlace,
  encryptionKeys,
  hostPatterns,
  hosts,
  integer,
  interval,
  oneOf,
  origin,
  origins,
  plain,
  secrets,
  signingSecret,
  tenant,
  url,
  urlOrWord,
  words,
} from "./env-values.ts";
import { conflictOfOidc, oidcProviders } from "./oidc.ts";
import { OperatorError } from "./operator-error.ts";
import { plainSettings } from "./plain-settings.ts";

interface Variable<S extends z.ZodType = z.ZodType> {
  /** One line for `.env.example`. */
  about: string;
  /** What a good value looks like; completes "expected …". */
  expects: string;
  schema: S;
  /** The value when the variable is unset. */
  fallback?: string;
  /** Never echo the value. */
  secret?: true;
}

const variable = <S extends z.ZodType>(declared: Variable<S>) => declared;

const withFallback = <S extends z.ZodType>(declared: Variable<S> & { fallback: string }) => declared;

const postgresUrl = "postgres://user:password@host:5432/name";

/** Every variable Rapport reads, each declared once. `.env.example` is generated from this. */
export const variables = {
  PORT: withFallback({
    about: "Port to listen on.",
    expects: "a whole number from 0 to 65535 (0 = any free port)",
    schema: integer(0, 65_535),
    fallback: "3000",
  }),
  HOST: withFallback({
    about: "Address to listen on; 127.0.0.1 keeps it to this machine.",
    expects: "an IP address or host name",
    schema: plain,
    fallback: "0.0.0.0",
  }),
  APP_URL: variable({
    about: "Public address of this server, such as https://rapport.example.com; needed behind a proxy.",
    expects: "an absolute http:// or https:// origin without a path",
    schema: origin,
  }),
  HSTS_SUBDOMAINS: withFallback({
    about:
      "Tell browsers to use https for the subdomains of this server's host too (true); only where all of them have it.",
    expects: "true or false",
    schema: oneOf(["true", "false"]),
    fallback: "false",
  }),
  REQUIRE_TLS: withFallback({
    about: "Refuse to start where a setting leads to another machine without TLS, and triggers that do (true).",
    expects: "true or false",
    schema: oneOf(["true", "false"]),
    fallback: "false",
  }),
  RAPPORT_DATA_DIR: withFallback({
    about: "Folder for the embedded database, generated secrets and caches.",
    expects: "a folder path",
    schema: plain,
    fallback: ".data",
  }),
  BACKUP_TO: variable({
    about:
      "Folder or s3://bucket/prefix for the log of the embedded database; with a backup in it, you can restore to any moment after.",
    expects: "a folder path, such as /mnt/backups, or s3://bucket/prefix",
    schema: backupPlace,
  }),
  BACKUP_EVERY: variable({
    about:
      "Back up the embedded database into BACKUP_TO so often, such as 24h; old ones are thinned out, one is proved weekly.",
    expects: "hours or days from 1h to 30d, such as 24h",
    schema: interval,
  }),
  BACKUP_KEY: variable({
    about:
      "Seals backups: a key of age, as `npx rapport admin backup key` makes it; comma separated, the first seals, all open. Keep it apart.",
    expects: "AGE-SECRET-KEY-1…, comma separated",
    schema: backupKeys,
    secret: true,
  }),
  AWS_ACCESS_KEY_ID: variable({ about: "S3 for backups: access key.", expects: "an access key", schema: plain }),
  AWS_SECRET_ACCESS_KEY: variable({
    about: "S3 for backups: secret of the access key.",
    expects: "a secret",
    schema: plain,
    secret: true,
  }),
  AWS_SESSION_TOKEN: variable({
    about: "S3 for backups: session token, of a temporary access key only.",
    expects: "a session token",
    schema: plain,
    secret: true,
  }),
  AWS_REGION: withFallback({
    about: "S3 for backups: region.",
    expects: "a region, such as eu-central-1",
    schema: plain,
    fallback: "us-east-1",
  }),
  AWS_ENDPOINT_URL: variable({
    about: "S3 for backups: address of another provider, or of your own server. Unset: Amazon's, in AWS_REGION.",
    expects: "an absolute http:// or https:// URL",
    schema: url("https", "http"),
  }),
  DATABASE_URL: variable({
    about: `Use this Postgres (15 or newer) instead of the embedded one: ${postgresUrl}`,
    expects: postgresUrl,
    schema: url("postgres", "postgresql"),
    secret: true,
  }),
  DATABASE_PASSWORD_FILE: variable({
    about:
      "File with the password for DATABASE_URL, read again at each connection, so that it may change while the server runs.",
    expects: "a file path",
    schema: plain,
  }),
  DATABASE_DIRECT_URL: variable({
    about: `The database behind DATABASE_URL, when that is a pooler (PgBouncer 1.21 or newer in transaction mode): ${postgresUrl}`,
    expects: postgresUrl,
    schema: url("postgres", "postgresql"),
    secret: true,
  }),
  DATABASE_REPLICA_URL: variable({
    about: `A streaming replica of the database, which may answer what callers read: ${postgresUrl}`,
    expects: postgresUrl,
    schema: url("postgres", "postgresql"),
    secret: true,
  }),
  DATABASE_POOL_SIZE: withFallback({
    about: "How many database connections this process opens at most.",
    expects: "a whole number from 1 to 1000",
    schema: integer(1, 1000),
    fallback: "10",
  }),
  SESSION_SECRET: variable({
    about:
      "Seals sessions; generated into the data folder when unset. Several instances need the same. Comma separated: the first seals, all open.",
    expects: "at least 32 characters, such as the output of `openssl rand -base64 32`; comma separated",
    schema: secrets(32),
    secret: true,
  }),
  SESSION_IDLE: withFallback({
    about: "After how long without use a session ends, such as 12h.",
    expects: "hours or days from 1h to 30d, such as 12h",
    schema: interval,
    fallback: "30d",
  }),
  SESSION_MAX_DAYS: withFallback({
    about: "How many days after a sign-in its session ends, used or not.",
    expects: "a whole number from 1 to 365",
    schema: integer(1, 365),
    fallback: "90",
  }),
  ENCRYPTION_KEY: variable({
    about:
      "Encrypts stored credentials: <key id>:<base64 of 32 bytes>, comma separated; the first encrypts, all decrypt.",
    expects: "<key id>:<base64 of 32 bytes>, comma separated",
    schema: encryptionKeys,
    secret: true,
  }),
  SIGNUPS: variable({
    about: "Who may sign up: open (anyone) or invite. Unset: open for the first user, then invite.",
    expects: "open or invite",
    schema: oneOf(["open", "invite"]),
  }),
  SIGN_IN_DEMAND: withFallback({
    about:
      "What everyone must have signed in with to open a workspace, beside what the workspace demands: any, second_factor or oidc.",
    expects: "any, second_factor or oidc",
    schema: oneOf(["any", "second_factor", "oidc"]),
    fallback: "any",
  }),
  BREACHED_PASSWORDS_URL: variable({
    about:
      "Refuse passwords known from breaches: https://api.pwnedpasswords.com/range, or a copy of it. Five characters of a hash are sent.",
    expects: "an absolute http:// or https:// URL",
    schema: url("https", "http"),
  }),
  DEFAULT_PLAN: withFallback({
    about: "Plan of a new workspace: free, growth or scale.",
    expects: "free, growth or scale",
    schema: oneOf(["free", "growth", "scale"]),
    fallback: "scale",
  }),
  RATE_LIMIT_PER_MINUTE: withFallback({
    about: "Requests per minute of an API key, client or session, and pages of an address; 0 switches the limit off.",
    expects: "a whole number from 0 to 10000000",
    schema: integer(0, 10_000_000),
    fallback: "6000",
  }),
  CORS_ORIGINS: withFallback({
    about: "Web origins that may call the API with a key or token, comma separated.",
    expects: "comma separated http:// or https:// origins without a path",
    schema: origins,
    fallback: "",
  }),
  TRUST_PROXY: withFallback({
    about: "How many proxies in front of Rapport append to X-Forwarded-For.",
    expects: "a whole number from 0 to 10",
    schema: integer(0, 10),
    fallback: "0",
  }),
  SMTP_URL: variable({
    about: "Mail server for invitations and password resets: smtps://user:password@host:465",
    expects: "smtp:// or smtps://user:password@host:port",
    schema: url("smtp", "smtps"),
    secret: true,
  }),
  SMTP_FROM: variable({
    about: "Sender of these mails: Rapport <rapport@example.com>. Unset: rapport@ the host of APP_URL.",
    expects: "an address such as Rapport <rapport@example.com>",
    schema: plain,
  }),
  LOG_MAILBOX_URL: variable({
    about:
      "Mailbox that members send copies of their mail to: imaps://log%40example.com:password@imap.example.com:993. It must take mail to log+anything@example.com.",
    expects: "imaps://user:password@host:port, the user being an e-mail address with %40 for the @",
    schema: url("imaps"),
    secret: true,
  }),
  LOG_MAILBOX_AUTHSERV_ID: variable({
    about:
      "Name by which the server of LOG_MAILBOX_URL signs its Authentication-Results headers. Unset: the host of LOG_MAILBOX_URL.",
    expects: "a name such as mx.example.com",
    schema: plain,
  }),
  GOOGLE_CLIENT_ID: variable({
    about: "Sign-in with Google, to Rapport and to mailboxes: client id.",
    expects: "a client id",
    schema: plain,
  }),
  GOOGLE_CLIENT_SECRET: variable({
    about: "Sign-in with Google: client secret.",
    expects: "a client secret",
    schema: plain,
    secret: true,
  }),
  GITHUB_CLIENT_ID: variable({ about: "Sign-in with GitHub: client id.", expects: "a client id", schema: plain }),
  GITHUB_CLIENT_SECRET: variable({
    about: "Sign-in with GitHub: client secret.",
    expects: "a client secret",
    schema: plain,
    secret: true,
  }),
  OIDC_ISSUER: variable({
    about: "Sign-in with any OpenID Connect provider: its issuer URL.",
    expects: "an absolute http:// or https:// URL",
    schema: url("https", "http"),
  }),
  OIDC_CLIENT_ID: variable({ about: "OpenID Connect: client id.", expects: "a client id", schema: plain }),
  OIDC_CLIENT_SECRET: variable({
    about: "OpenID Connect: client secret.",
    expects: "a client secret",
    schema: plain,
    secret: true,
  }),
  OIDC_NAME: withFallback({
    about: "OpenID Connect: the name on the sign-in button.",
    expects: "a short name",
    schema: plain,
    fallback: "single sign-on",
  }),
  OIDC_ACR_VALUES: variable({
    about: "OpenID Connect: ask for these ways to sign in (acr_values), and refuse who did not sign in by one of them.",
    expects: "values of acr, separated by spaces",
    schema: words,
  }),
  OIDC_PROVIDERS: variable({
    about:
      'Sign-in with several OpenID Connect providers: [{"id":"okta","name":"Okta","issuer":"https://…","client_id":"…","client_secret":"…","domains":["acme.com"]}].',
    expects: "a JSON list; docs/guide/single-sign-on.md has every field",
    schema: oidcProviders,
    secret: true,
  }),
  EMBEDDINGS_URL: variable({
    about: "Search notes by meaning too: base URL of an OpenAI-compatible API (https://api.openai.com/v1), or local.",
    expects: "an absolute http:// or https:// URL, or local",
    schema: urlOrWord("local", "https", "http"),
  }),
  EMBEDDINGS_MODEL: variable({
    about: "Embeddings: the model's name; notes are embedded again when it changes.",
    expects: "a model name such as text-embedding-3-small",
    schema: plain,
  }),
  EMBEDDINGS_API_KEY: variable({
    about: "Embeddings: the API key, where the endpoint wants one.",
    expects: "an API key",
    schema: plain,
    secret: true,
  }),
  LLM_URL: variable({
    about:
      "Build ICP scoring models with a language model: base URL of an OpenAI-compatible API (https://api.openai.com/v1).",
    expects: "an absolute http:// or https:// URL",
    schema: url("https", "http"),
  }),
  LLM_MODEL: variable({
    about: "Language model: its name.",
    expects: "a model name such as gpt-5-mini",
    schema: plain,
  }),
  LLM_API_KEY: variable({
    about: "Language model: the API key, where the endpoint wants one.",
    expects: "an API key",
    schema: plain,
    secret: true,
  }),
  PAGES: withFallback({
    about: "Whether this server has pages: on, or off for the API, MCP and webhooks alone, which need less memory.",
    expects: "on or off",
    schema: oneOf(["on", "off"]),
    fallback: "on",
  }),
  WORKER: withFallback({
    about: "Where jobs run: app (inside this server) or separate (only in `npm run worker`).",
    expects: "app or separate",
    schema: oneOf(["app", "separate"]),
    fallback: "app",
  }),
  WORKER_CONCURRENCY: withFallback({
    about: "How many jobs one process runs at a time at most.",
    expects: "a whole number from 1 to 100",
    schema: integer(1, 100),
    fallback: "5",
  }),
  CAL_COM_API_URL: withFallback({
    about: "Base URL of the booking provider's API; your own for a self-hosted Cal.com.",
    expects: "an absolute http:// or https:// URL",
    schema: url("https", "http"),
    fallback: "https://api.cal.com/v2",
  }),
  FATHOM_API_URL: withFallback({
    about: "Base URL of the recording provider's API.",
    expects: "an absolute http:// or https:// URL",
    schema: url("https", "http"),
    fallback: "https://api.fathom.ai/external/v1",
  }),
  FATHOM_WEBHOOK_SECRET: variable({
    about: "Verifies recordings of workspaces that saved no signing secret of their own: whsec_ and base64.",
    expects: "whsec_ and base64",
    schema: signingSecret,
    secret: true,
  }),
  INBOUND_RETENTION_DAYS: withFallback({
    about: "How many days deliveries of inbound webhooks stay in the log, with their payloads.",
    expects: "a whole number from 1 to 3650",
    schema: integer(1, 3650),
    fallback: "30",
  }),
  AUDIT_RETENTION_DAYS: variable({
    about: "How many days the audit log is kept; what is older is removed in whole blocks. Unset: for ever.",
    expects: "a whole number from 1 to 36500",
    schema: integer(1, 36_500),
  }),
  AUDIT_PUSH_URL: variable({
    about:
      "Send the audit log of every workspace there: a webhook (https://…), or syslog over TLS (syslog+tls://host:6514).",
    expects: "an absolute https://, http:// or syslog+tls:// URL",
    schema: url("https", "http", "syslog+tls"),
    secret: true,
  }),
  AUDIT_PUSH_SECRET: variable({
    about: "Signs what is sent to the webhook of AUDIT_PUSH_URL, as deliveries of triggers are: whsec_ and base64.",
    expects: "whsec_ and base64",
    schema: signingSecret,
    secret: true,
  }),
  ALLOW_PRIVATE_WEBHOOK_TARGETS: withFallback({
    about:
      "Let triggers send to private addresses too (true); only where everyone with an admin key may reach your network.",
    expects: "true or false",
    schema: oneOf(["true", "false"]),
    fallback: "false",
  }),
  TARGET_HOSTS: withFallback({
    about:
      "The only hosts that triggers and documents of MCP clients may lead to (hooks.example.com, *.n8n.cloud), comma separated. Unset: any.",
    expects: "comma separated names, such as hooks.example.com or *.n8n.cloud",
    schema: hostPatterns,
    fallback: "",
  }),
  PRIVATE_MAIL_SERVERS: withFallback({
    about:
      "Mail and calendar servers in your own network that members may connect (mail.example.lan, 10.0.0.5), comma separated.",
    expects: "comma separated names or addresses without a port",
    schema: hosts,
    fallback: "",
  }),
  MAIL_WATCHES: withFallback({
    about: "How many mailboxes one process watches for new mail at most (IDLE); others are read every five minutes.",
    expects: "a whole number from 0 to 10000",
    schema: integer(0, 10_000),
    fallback: "200",
  }),
  MICROSOFT_CLIENT_ID: variable({
    about: "Mailboxes at Microsoft 365 by sign-in: client id. With MICROSOFT_CLIENT_SECRET and MICROSOFT_TENANT.",
    expects: "a client id",
    schema: plain,
  }),
  MICROSOFT_CLIENT_SECRET: variable({
    about: "Mailboxes at Microsoft 365 by sign-in: client secret.",
    expects: "a client secret",
    schema: plain,
    secret: true,
  }),
  MICROSOFT_TENANT: variable({
    about: "Mailboxes at Microsoft 365 by sign-in: id or domain of your directory, whose members may sign in.",
    expects: "the id or domain of one directory, such as acme.onmicrosoft.com",
    schema: tenant,
  }),
  HUBSPOT_API_URL: withFallback({
    about: "Base URL of HubSpot's API.",
    expects: "an absolute http:// or https:// URL",
    schema: url("https", "http"),
    fallback: "https://api.hubapi.com",
  }),
  ATTIO_API_URL: withFallback({
    about: "Base URL of Attio's API.",
    expects: "an absolute http:// or https:// URL",
    schema: url("https", "http"),
    fallback: "https://api.attio.com",
  }),
  LOG_LEVEL: withFallback({
    about: "trace, debug, info, warn, error, fatal or silent.",
    expects: "trace, debug, info, warn, error, fatal or silent",
    schema: oneOf(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
    fallback: "info",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable({
    about: "Send traces to this OpenTelemetry collector.",
    expects: "an absolute http:// or https:// URL",
    schema: url("http", "https"),
  }),
  SHUTDOWN_SECONDS: withFallback({
    about: "How long a stop waits for running requests.",
    expects: "a whole number from 0 to 3600",
    schema: integer(0, 3600),
    fallback: "10",
  }),
};

type Variables = typeof variables;
type Name = keyof Variables;

/** Variables of API callers' environments, not settings of the server. */
const ofClients: ReadonlySet<string> = new Set(["RAPPORT_API_KEY", "RAPPORT_URL"]);

/** The checked environment. Variables without a default are `undefined` when unset; `RAPPORT_DATA_DIR` is absolute. */
export type Env = {
  readonly [N in Name]:
    | z.output<Variables[N]["schema"]>
    | (Variables[N] extends { fallback: string } ? never : undefined);
};

/** Variables that only work together. */
const together: Name[][] = [
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
  ["MICROSOFT_CLIENT_ID", "MICROSOFT_CLIENT_SECRET", "MICROSOFT_TENANT"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
  ["EMBEDDINGS_URL", "EMBEDDINGS_MODEL"],
  ["LLM_URL", "LLM_MODEL"],
];

/** A variable that has no effect without the other. */
const needs: [Name, Name][] = [
  ["BACKUP_EVERY", "BACKUP_TO"],
  ["OIDC_ACR_VALUES", "OIDC_ISSUER"],
  ["DATABASE_DIRECT_URL", "DATABASE_URL"],
  ["DATABASE_PASSWORD_FILE", "DATABASE_URL"],
  ["DATABASE_REPLICA_URL", "DATABASE_URL"],
  ["AUDIT_PUSH_SECRET", "AUDIT_PUSH_URL"],
];

/** One line per problem, each naming the variable, what is wrong and what is expected. */
export class EnvError extends OperatorError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "EnvError";
    this.problems = problems;
  }
}

const names = Object.keys(variables) as Name[];

/** The variable's text; an empty one counts as unset. */
const textOf = (source: NodeJS.ProcessEnv, name: string) => source[name]?.trim() || undefined;

const hasPassword = (text: string | undefined): boolean =>
  text !== undefined && URL.canParse(text) && new URL(text).password !== "";

/** With the secrets that are in files: `SMTP_URL_FILE` names the file with `SMTP_URL`, and so on. */
function withFiles(source: NodeJS.ProcessEnv, problems: string[]): NodeJS.ProcessEnv {
  const values = { ...source };
  for (const name of names) {
    const file = textOf(source, `${name}_FILE`);
    const { secret }: Variable = variables[name];
    if (!secret || file === undefined) continue;
    try {
      values[name] = readFileSync(/*turbopackIgnore: true*/ file, "utf8");
      if (textOf(values, name) === undefined)
        problems.push(`${name}_FILE is ${file}, which is empty; expected a secret`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push(`${name}_FILE is ${file}, which cannot be read (${code}); expected a file`);
    }
    if (textOf(source, name) !== undefined) problems.push(`${name} is set beside ${name}_FILE; expected one of them`);
  }
  return values;
}

/** Reads and checks the environment. A relative data folder is taken from the working directory. */
export function readEnv(environment: NodeJS.ProcessEnv = process.env): Env {
  const problems: string[] = [];
  const source = withFiles(environment, problems);
  const values: Record<string, unknown> = {};

  for (const name of names) {
    const { schema, fallback, secret, expects }: Variable = variables[name];
    const text = textOf(source, name) ?? fallback;
    if (text === undefined || (text === "" && fallback !== "")) continue;
    const parsed = schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else {
      const wrong = parsed.error.issues[0]?.message;
      problems.push(`${name} ${secret ? "" : `is ${JSON.stringify(text)}, which `}${wrong}; expected ${expects}`);
    }
  }

  for (const group of together) {
    const unset = group.filter((name) => textOf(source, name) === undefined);
    if (unset.length === 0 || unset.length === group.length) continue;
    const set = group.filter((name) => !unset.includes(name));
    for (const name of unset)
      problems.push(`${name} is not set; expected a value, because ${set.join(" and ")} is set`);
  }

  for (const [name, needed] of needs) {
    if (textOf(source, name) !== undefined && textOf(source, needed) === undefined)
      problems.push(`${needed} is not set; expected a value, because ${name} is set`);
  }

  if (/^https?:/.test(textOf(source, "AUDIT_PUSH_URL") ?? "") && textOf(source, "AUDIT_PUSH_SECRET") === undefined)
    problems.push("AUDIT_PUSH_SECRET is not set; expected a value, because AUDIT_PUSH_URL is a webhook");

  if (textOf(source, "DATABASE_PASSWORD_FILE") !== undefined && hasPassword(textOf(source, "DATABASE_URL")))
    problems.push("DATABASE_URL has a password; expected none in it, because DATABASE_PASSWORD_FILE is set");

  // The driver would take it before it reads the file.
  if (textOf(source, "DATABASE_PASSWORD_FILE") !== undefined && source.PGPASSWORD)
    problems.push("PGPASSWORD is set; expected no value, because DATABASE_PASSWORD_FILE is set");

  if (
    textOf(source, "SIGN_IN_DEMAND") === "oidc" &&
    textOf(source, "OIDC_ISSUER") === undefined &&
    textOf(source, "OIDC_PROVIDERS") === undefined
  )
    problems.push("OIDC_ISSUER is not set; expected a value, because SIGN_IN_DEMAND is oidc");

  const conflict = problems.length === 0 ? conflictOfOidc(values as Env) : null;
  if (conflict !== null) problems.push(`OIDC_PROVIDERS together with OIDC_ISSUER ${conflict}; expected each once`);

  if (values.REQUIRE_TLS === "true")
    for (const { name, expects } of plainSettings(values as Env))
      problems.push(`${name} leads to another machine without TLS; expected ${expects}, because REQUIRE_TLS is true`);

  for (const name of Object.keys(source)) {
    if (!name.startsWith("RAPPORT_") || name in variables || ofClients.has(name) || !source[name]) continue;
    const suggestion = nearest(name, names) ?? nearest(name.slice("RAPPORT_".length), names);
    problems.push(
      `${name} is not a variable of Rapport; ${suggestion ? `did you mean ${suggestion}?` : "expected a name from .env.example"}`,
    );
  }

  if (problems.length > 0) throw new EnvError(problems);
  values.RAPPORT_DATA_DIR = path.resolve(/*turbopackIgnore: true*/ values.RAPPORT_DATA_DIR as string);
  for (const name of names) values[name] ??= undefined;
  return Object.freeze(values) as Env;
}

/** True when the variable is set to something else than its default. */
export const isConfigured = (env: Env, name: Name): boolean =>
  env[name] !== undefined && String(env[name]) !== (variables[name] as Variable).fallback;
