import type { Scope } from "#lib/core/plans.ts";

/** What a client with a scope may do. */
export const scopeWords: Readonly<Record<Scope, { label: string; hint: string; short: string }>> = {
  read: { label: "Read", hint: "Look up people, companies, notes and what your workspace sells.", short: "Reads" },
  write: {
    label: "Write",
    hint: "Record activities, notes and facts, and change people and companies.",
    short: "Reads and writes",
  },
  admin: {
    label: "Administer",
    hint: "Connect other systems and change the workspace's settings.",
    short: "Administers",
  },
};

/** What scopes together allow, in a word or three. */
export const accessOf = (scopes: readonly Scope[]): string => scopeWords[scopes.at(-1) ?? "read"].short;

/** Where a client is: `on this computer`, `at example.com`, `as the app cursor`. */
export function placeWords(host: string, computer: string): string {
  if (host === "localhost") return `on ${computer}`;
  return host.includes(".") || host.includes(":") ? `at ${host}` : `as the app ${host}`;
}
