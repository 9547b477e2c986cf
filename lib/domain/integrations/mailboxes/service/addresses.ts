import { findNamedMembers } from "#lib/auth/named-members.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findAddresses } from "../queries.ts";

/** The addresses of everyone in the workspace, and of their mailboxes. */
export const ownAddresses = async ({ db }: Pick<Ctx, "db">): Promise<{ userId: string; address: string }[]> => [
  ...(await findNamedMembers(db)).map(({ userId, email }) => ({ userId, address: email.toLowerCase() })),
  ...(await findAddresses(db)).map(({ userId, address }) => ({ userId, address: address.toLowerCase() })),
];

/** The same, without whose they are: the addresses of the company's people. */
export const companyAddresses = async (ctx: Pick<Ctx, "db">): Promise<string[]> =>
  (await ownAddresses(ctx)).map(({ address }) => address);
