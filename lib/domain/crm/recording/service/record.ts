import { type Fault, isFault } from "#lib/core/errors.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { Told } from "../rules/decide.ts";
import type { Report } from "../rules/world.ts";
import { readAndDecide, type Seen } from "./read.ts";
import { write } from "./write.ts";

/**
 * Records reports about people, companies and the workspace in the caller's transaction, each building on those before it:
 * reads what they are about, decides what follows, and writes it, in as few statements for many as for one. Everything that
 * says something about anyone comes here. A fault in the place of a result refuses that report alone. `seen`: what was looked up
 * a moment ago.
 */
export async function record(ctx: Ctx, reports: readonly Report[], seen?: readonly Seen[]): Promise<(Told | Fault)[]> {
  if (reports.length === 0) return [];
  const decided = await readAndDecide(ctx, reports, { seen });
  await write(ctx, decided);
  return decided.results;
}

/** As `record`, one report; throws what refuses it. */
export async function recordOne(ctx: Ctx, report: Report, seen?: Seen): Promise<Told> {
  const [told] = await record(ctx, [report], seen && [seen]);
  if (isFault(told)) throw told;
  return told as Told;
}

/** What `record` would answer; locks and writes nothing. */
export const foresee = async (ctx: Ctx, reports: readonly Report[]): Promise<(Told | Fault)[]> =>
  (await readAndDecide(ctx, reports, { foreseen: true })).results;
