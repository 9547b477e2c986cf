import { variables } from "./env.ts";

/** The text of `.env.example`. Copied to `.env` unchanged, it means the same as an empty environment. */
export function envExample(): string {
  const lines = Object.entries(variables).map(
    ([name, { about, fallback }]: [string, { about: string; fallback?: string }]) =>
      `# ${about}\n${name}=${/[\s#]/.test(fallback ?? "") ? JSON.stringify(fallback) : (fallback ?? "")}\n`,
  );
  return [
    "# Settings of Rapport. Copy this file to .env; variables of the environment override it, and an empty value counts as not set.\n# A secret may be in a file instead: SMTP_URL_FILE names the file with SMTP_URL, and so on for all of them.\n# Written by `node bin/env-example.ts` from lib/settings/env.ts.\n",
    ...lines,
  ].join("\n");
}
