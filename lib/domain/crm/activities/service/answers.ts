import type { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import type { Seen } from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { normaliseEmail } from "#lib/domain/records/entities/service.ts";
import { sourceOf } from "#lib/domain/records/evidence/service.ts";
import type { capture } from "../contract.ts";
import { type Captured, recordSignals, type Signal } from "./signals.ts";

/** What a call of `capture` says; throws 400 `invalid_email`. */
export function signalOf(caller: Caller, input: z.output<typeof capture.input>): Signal {
  const { contact_id, type, source = sourceOf(caller), description, external_id, occurred_at, metadata } = input;
  const email = input.email === undefined ? null : normaliseEmail(input.email);
  if (email === null && input.email !== undefined) throw new Fault("invalid_email", { parameter: "email" });
  const name = { email, contactId: contact_id, createContact: contact_id === undefined };
  return { ...name, type, source, description, externalId: external_id, occurredAt: occurred_at, metadata };
}

export type Answer = z.output<typeof capture.output>;

/** Records signals and answers each like a call of `capture`. `seen`: what was read about each a moment ago. */
export async function answersTo(
  ctx: Ctx,
  signals: readonly Signal[],
  seen?: readonly Seen[],
): Promise<(Answer | Fault)[]> {
  return (await recordSignals(ctx, signals, seen)).map(answerTo);
}

/** The answer to a call. Only people have a stage; for anyone else the answer is 404. */
export function answerTo(outcome: Captured | Fault | null): Answer | Fault {
  if (isFault(outcome)) return outcome;
  if (!outcome?.stages) return new Fault("contact_not_found");
  return {
    ok: true,
    activity_id: outcome.activityId,
    contact_id: outcome.contactId,
    stage_before: outcome.stages.before,
    stage_after: outcome.stages.after,
    deduplicated: outcome.deduplicated,
    created_contact: outcome.createdContact,
  };
}
