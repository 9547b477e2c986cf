import { type MemberFinder, memberFinder } from "#lib/auth/named-members.ts";
import type { Ctx } from "#lib/domain/implement.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Finds the members that fields name as owners; reads them only when one does. */
export async function ownersIn(ctx: Ctx, given: readonly Fields[]): Promise<MemberFinder> {
  if (given.some(({ owner }) => typeof owner === "string")) return memberFinder(ctx);
  return () => {
    throw new Error("no field names an owner");
  };
}

/**
 * The filter `owner` without words that depend on who asks: an e-mail address, also of someone who has left, or `none`. Throws
 * 400 for a member that there is not.
 */
export async function ownerMeant(ctx: Ctx, owner: string): Promise<string> {
  const wanted = owner.trim().toLowerCase();
  return wanted === "none" || wanted.includes("@") ? wanted : (await memberFinder(ctx))(wanted, "owner").email;
}

/** A list's filters for a job, which is another caller than the one who gave them: `owner=me` is that member. */
export async function filtersForJob<F extends Fields>(ctx: Ctx, filters: F): Promise<F> {
  const { owner } = filters;
  return typeof owner === "string" ? { ...filters, owner: await ownerMeant(ctx, owner) } : filters;
}
