/** Which settings lead to another machine without TLS, or not always with it. */
const databases = ["DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL"] as const;
const services = [
  "APP_URL",
  "OIDC_ISSUER",
  "AUDIT_PUSH_URL",
  "BREACHED_PASSWORDS_URL",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "EMBEDDINGS_URL",
  "LLM_URL",
  "AWS_ENDPOINT_URL",
  "CAL_COM_API_URL",
  "FATHOM_API_URL",
  "HUBSPOT_API_URL",
  "ATTIO_API_URL",
] as const;

export type Addresses = {
  readonly [Name in (typeof databases)[number] | (typeof services)[number] | "SMTP_URL"]: string | undefined;
} & { readonly OIDC_PROVIDERS: readonly { issuer: string }[] | undefined };

/** A setting, and what it would have to say. */
type PlainSetting = { name: string; expects: string };

/** Whether a host is this machine. */
export const isLocal = (host: string): boolean => /^(localhost|127\.|\[?::1)/.test(host);

/** As the driver reads an address: without a word about it, it does not ask for TLS. */
function isPlainDatabase({ hostname, searchParams }: URL): boolean {
  if (/^(\/|%2f)/i.test(searchParams.get("host") ?? hostname)) return false; // a socket of this machine
  const mode = searchParams.get("sslmode");
  return mode === null ? !["true", "1"].includes(searchParams.get("ssl") ?? "") : mode === "disable";
}

/** smtp:// uses TLS only when the server offers it, which someone between the two can take out. */
const isPlainMail = ({ protocol, searchParams }: URL): boolean =>
  protocol === "smtp:" && searchParams.get("requireTLS") !== "true";

const isPlainHttp = ({ protocol }: URL): boolean => protocol === "http:";

export function plainSettings(env: Addresses): PlainSetting[] {
  const isPlainAt = (text: string | undefined, isPlain: (address: URL) => boolean): boolean => {
    const address = URL.parse(text ?? "");
    return address !== null && !isLocal(address.hostname) && isPlain(address);
  };
  const named = (expects: string) => (name: string) => ({ name, expects });
  return [
    ...databases.filter((name) => isPlainAt(env[name], isPlainDatabase)).map(named("?sslmode=verify-full")),
    ...(isPlainAt(env.SMTP_URL, isPlainMail) ? ["SMTP_URL"] : []).map(named("smtps://, or ?requireTLS=true")),
    ...[
      ...services.filter((name) => isPlainAt(env[name], isPlainHttp)),
      ...(env.OIDC_PROVIDERS?.some(({ issuer }) => isPlainAt(issuer, isPlainHttp)) ? ["OIDC_PROVIDERS"] : []),
    ].map(named("https://")),
  ];
}
