/** Which connections to other machines go without TLS, as far as settings say it. */
import type { Boot } from "#lib/settings/boot.ts";
import { isLocal } from "./address.ts";
import { type Finding, fine, listed, warning } from "./finding.ts";

/** The settings that lead to another machine. */
const databases = ["DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL"] as const;
const services = [
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

type Name = (typeof databases)[number] | (typeof services)[number] | "SMTP_URL";

/** As the driver reads an address: without a word about it, it does not ask for TLS. */
function isPlainDatabase({ searchParams }: URL): boolean {
  if (searchParams.get("host")?.startsWith("/")) return false; // a socket of this machine
  const mode = searchParams.get("sslmode");
  return mode === null ? !["true", "1"].includes(searchParams.get("ssl") ?? "") : mode === "disable";
}

/** smtp:// uses TLS only when the server offers it, which someone between the two can take out. */
const isPlainMail = ({ protocol, searchParams }: URL): boolean =>
  protocol === "smtp:" && searchParams.get("requireTLS") !== "true";

const isPlainHttp = ({ protocol }: URL): boolean => protocol === "http:";

export function ofEncryption(env: Pick<Boot["env"], Name | "OIDC_PROVIDERS">): Finding {
  const isPlainAt = (text: string | undefined, isPlain: (address: URL) => boolean): boolean => {
    const address = URL.parse(text ?? "");
    return address !== null && !isLocal(address.hostname) && isPlain(address);
  };
  const leavesPlainly = (name: Name, isPlain: (address: URL) => boolean): boolean => isPlainAt(env[name], isPlain);
  const plain: string[] = [
    ...databases.filter((name) => leavesPlainly(name, isPlainDatabase)),
    ...(["SMTP_URL"] as const).filter((name) => leavesPlainly(name, isPlainMail)),
    ...services.filter((name) => leavesPlainly(name, isPlainHttp)),
    ...(env.OIDC_PROVIDERS?.some(({ issuer }) => isPlainAt(issuer, isPlainHttp)) ? ["OIDC_PROVIDERS"] : []),
  ];
  return plain.length === 0
    ? fine("encryption", "Every connection that is set to another machine is encrypted.")
    : warning(
        "encryption",
        `Not encrypted, or not always: ${plain.join(", ")}. Who is between the machines can read passwords and data.`,
        "Postgres: sslmode=verify-full. Mail: smtps://, or ?requireTLS=true. Others: https://. In a network of your own it may stay.",
      );
}

/** `plain`: the workspaces with triggers that send to an http:// address. */
export const ofTargets = (plain: readonly string[]): Finding =>
  plain.length === 0
    ? fine("trigger targets", "Every trigger sends to an https:// address.")
    : warning(
        "trigger targets",
        `Triggers send to addresses that are not encrypted, in ${listed(plain, 5, " workspaces")}.`,
        "Change them to https:// on the page Triggers of the workspace: what is sent names people and what is known of them.",
      );
