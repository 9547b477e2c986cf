import { memberAddresses } from "#lib/domain/access/members/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findAddresses } from "../queries.ts";

/** The addresses of the company's people: of members, and of their mailboxes. */
export const companyAddresses = async (ctx: Pick<Ctx, "db">): Promise<string[]> => [
  ...(await memberAddresses(ctx)),
  ...(await findAddresses(ctx.db)),
];
