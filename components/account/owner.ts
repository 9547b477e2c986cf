import { toastWithUndo } from "#components/ui/toaster.tsx";
import type { Account, Calls } from "./calls.ts";

/** The e-mail address of the member who owns the record. */
export function ownerOf({ claims }: Pick<Account, "claims">): string | null {
  const value = claims.owner?.value;
  return typeof value === "string" ? value : null;
}

function withOwner({ owner: before, ...others }: Account["claims"], owner: string | null): Account["claims"] {
  if (owner === null) return others;
  const now = new Date().toISOString();
  const ownerClaim = { confidence: 1, freshness: "fresh", epistemic_class: "asserted", source: "manual" } as const;
  return {
    ...others,
    owner: { observation_count: 1, ...before, ...ownerClaim, property: "owner", value: owner, last_observed_at: now },
  };
}

type Attempt = (fields: Partial<Account>, call: () => Promise<unknown>) => Promise<boolean>;

/** Gives the record to a member, or to no one; shown at once, and can be undone. */
export function ownerChange(account: Account, calls: Calls, attempt: Attempt) {
  const own = (owner: string | null) =>
    attempt({ claims: withOwner(account.claims, owner) }, () =>
      account.type === "company" ? calls.changeCompany({ owner }) : calls.changePerson({ owner }),
    );
  const before = ownerOf(account);
  return async (owner: string | null): Promise<void> => {
    if (!(await own(owner))) return;
    const words = owner === null ? `${account.name} has no owner now` : `${owner} owns ${account.name} now`;
    toastWithUndo(words, async () => void (await own(before)));
  };
}
