import type { Scope } from "#lib/core/plans.ts";

/** What a key may do, as one choice: each level includes the ones before it. */
export const accessLevels: readonly { value: Scope; label: string; hint: string }[] = [
  { value: "read", label: "Read", hint: "Look things up, change nothing." },
  {
    value: "write",
    label: "Read and write",
    hint: "Look things up and record what was learned. Right for most agents.",
  },
  { value: "admin", label: "Admin", hint: "Everything, including connections to other systems." },
];

const order: readonly Scope[] = ["read", "write", "admin"];

/** The scopes of a level. */
export const scopesOf = (level: Scope): Scope[] => order.slice(0, order.indexOf(level) + 1);

/** The level that matches the scopes. */
export const levelOf = (scopes: readonly Scope[]): Scope => order.findLast((scope) => scopes.includes(scope)) ?? "read";

export const accessText = (scopes: readonly Scope[]): string =>
  accessLevels.find(({ value }) => value === levelOf(scopes))?.label ?? "";
