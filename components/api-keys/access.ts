import { isScope, type KeyScope, type Scope, scopes } from "#lib/core/plans.ts";

type Level<S> = { value: S; label: string; hint: string };

/** What a caller may do, as one choice: each level includes the ones before it. */
export const accessLevels: readonly Level<Scope>[] = [
  { value: "read", label: "Read", hint: "Look things up, change nothing." },
  {
    value: "write",
    label: "Read and write",
    hint: "Look things up and record what was learned. Right for most agents.",
  },
  { value: "admin", label: "Admin", hint: "Everything, including connections to other systems." },
];

/** The choices for a key. */
export const keyLevels: readonly Level<KeyScope>[] = [
  ...accessLevels,
  {
    value: "directory",
    label: "Directory",
    hint: "Add and remove members from Okta, Entra ID or another directory (SCIM), and nothing else. Owners only.",
  },
];

/** The scopes of a level. */
export const scopesOf = <S extends KeyScope>(level: S): S[] =>
  (isScope(level) ? scopes.slice(0, scopes.indexOf(level) + 1) : [level]) as S[];

/** The level that matches the scopes. */
export const levelOf = (granted: readonly Scope[]): Scope =>
  scopes.findLast((scope) => granted.includes(scope)) ?? "read";

export const accessText = (granted: readonly KeyScope[]): string => {
  const ladder = granted.filter(isScope);
  const level = ladder.length > 0 ? levelOf(ladder) : granted[0];
  return keyLevels.find(({ value }) => value === level)?.label ?? "";
};
