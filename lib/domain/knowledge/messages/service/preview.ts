import { Fault } from "#lib/core/errors.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import * as contract from "../contract.ts";
import { hasMailbox } from "../queries/sharing.ts";
import { findOfMailbox } from "../queries/visible.ts";
import { viewOfMessage } from "../serialize.ts";
import { threadShown, threadsOf, threadWith } from "./read.ts";
import { memberOf } from "./share.ts";

/** The same caller, who sees what everyone sees. */
function asTeam(ctx: Ctx): Ctx {
  memberOf(ctx);
  const { viewer: _, ...others } = ctx;
  return others;
}

const MOST_OF_MAILBOX = 20;

export const previewThreads = implement(contract.previewThreads, (ctx, input) => threadsOf(asTeam(ctx), input));

export const previewThread = implement(contract.previewThread, async (ctx, { id }) => {
  const team = asTeam(ctx);
  await threadShown(ctx, id); // that they may see it themselves
  return (await threadWith(team, id)) ?? { thread: null, messages: [] };
});

export const previewMailbox = implement(contract.previewMailbox, async (ctx, { id }) => {
  if (!(await hasMailbox(ctx.db, memberOf(ctx), id))) throw new Fault("mailbox_not_found");
  return { messages: (await findOfMailbox(ctx.db, null, id, MOST_OF_MAILBOX)).map(viewOfMessage) };
});
