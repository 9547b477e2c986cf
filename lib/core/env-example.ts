import { variables } from "./env.ts";

/** The text of `.env.example`. Copied to `.env` unchanged, it says what an empty environment says. */
export function envExample(): string {
  const lines = Object.entries(variables).map(
    ([name, { about, fallback }]: [string, { about: string; fallback?: string }]) =>
      `# ${about}\n${name}=${/[\s#]/.test(fallback ?? "") ? JSON.stringify(fallback) : (fallback ?? "")}\n`,
  );
  return [
    "# Settings of Rapport. Copy this file to .env; the real environment wins over it, and an empty value is an unset one.\n# Written by `node bin/env-example.ts` from lib/core/env.ts.\n",
    ...lines,
  ].join("\n");
}
