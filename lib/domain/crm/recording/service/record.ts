import { type Fault, isFault } from "#lib/core/errors.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { Told } from "../rules/contact.ts";
import type { Decision } from "../rules/decide.ts";
import type { Report } from "../rules/world.ts";
import { type Decided, readAndDecide, type Seen } from "./read.ts";
import { write } from "./write.ts";

/** `seen`: what was looked up a moment ago. `dryRun`: decide only. `before`: called when everything is locked and decided, and nothing written. */
export type Manner = {
  seen?: readonly Seen[] | undefined;
  dryRun?: boolean;
  before?: (decision: Decision) => Promise<void>;
};

/** As `record`, and returns all that was decided. */
export async function recordAndTell(
  ctx: Ctx,
  reports: readonly Report[],
  { seen, dryRun = false, before }: Manner,
): Promise<Decided> {
  const decided = await readAndDecide(ctx, reports, { seen, foreseen: dryRun });
  if (dryRun) return decided;
  await before?.(decided.decision);
  await write(ctx, decided);
  return decided;
}

/**
 * Records reports about people, companies and the workspace in the caller's transaction, each building on those before it:
 * reads what they are about, decides what follows, and writes it, in as few statements for many as for one. Everything that
 * says something about anyone comes here. A fault in the place of a result refuses that report alone. `seen`: what was looked up
 * a moment ago.
 */
export async function record(ctx: Ctx, reports: readonly Report[], seen?: readonly Seen[]): Promise<(Told | Fault)[]> {
  if (reports.length === 0) return [];
  return (await recordAndTell(ctx, reports, { seen })).results;
}

/** As `record`, one report; throws what refuses it. */
export async function recordOne(ctx: Ctx, report: Report, seen?: Seen): Promise<Told> {
  const [told] = await record(ctx, [report], seen && [seen]);
  if (isFault(told)) throw told;
  return told as Told;
}
