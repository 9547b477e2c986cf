import { type MemberFinder, ownersIn } from "#lib/auth/named-members.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import { phoneNumber } from "#lib/domain/crm/people/service.ts";
import { countNew, findMeant, type ReportResult, recordOne, stages } from "#lib/domain/crm/recording/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { type EntityRow, findEntities, type ResolvedEntity } from "#lib/domain/records/entities/service.ts";
import { meetingStart } from "#lib/domain/records/evidence/contract.ts";
import {
  type Draft,
  type FactValue,
  FactValueInput,
  factProperty,
  methodOf,
  sourceOf,
} from "#lib/domain/records/evidence/service.ts";
import { recordObservations as contract, type ObservationInput } from "./contract.ts";
import { eventNamed, isStage, stateNamed, warningOf } from "./rules.ts";

const HORIZON_MS = 5 * 60_000;

/** Turns an input into a draft; throws `invalid_observation` with its index. */
function draftOf(
  ctx: Ctx,
  input: ObservationInput,
  index: number,
  type: ResolvedEntity["type"],
  lookups: Lookups,
): Draft {
  const refuse = (message: string) => new Fault("invalid_observation", { index }, `observations[${index}]: ${message}`);
  const fact = type === "workspace" ? factProperty(input.property) : null;
  const { kind, source = sourceOf(ctx), observed_at = null, external_id } = input;
  if (kind === "state" && input.value === undefined) throw refuse("a state needs a value; null ends it.");
  if (kind === "state" && observed_at && observed_at.getTime() > Date.now() + HORIZON_MS) {
    throw refuse("a state cannot be observed in the future.");
  }
  const base = {
    kind,
    source,
    observedAt: observed_at,
    ...(external_id === undefined ? {} : { externalId: external_id }),
  };
  if (fact === null) {
    const { property, value } =
      type === "workspace" ? ofWorkspace(input, refuse) : ofContact(type, input, refuse, lookups);
    const observedAt = observed_at ?? (kind === "event" ? meetingStart(property, value) : null);
    return { ...base, observedAt, property, value, method: input.method ?? methodOf(ctx, property) };
  }
  if (kind !== "state") throw refuse("note.<uuid> on the workspace is a state.");
  const value = factValueOf(input.value, refuse);
  return { ...base, property: fact, value, method: input.method ?? methodOf(ctx, fact) };
}

/** What the observations name, read before them. */
type Lookups = { owners: MemberFinder; employers: ReadonlyMap<string, EntityRow> };

const isNamed = (property: string, field: string): boolean => {
  const named = stateNamed("person", property);
  return "property" in named && named.property === field;
};

/** The entities that `works_at` names. */
async function employersIn(ctx: Ctx, observations: readonly ObservationInput[]): Promise<Lookups["employers"]> {
  const ids = observations.flatMap(({ property, value }) =>
    isNamed(property, "works_at") && typeof value === "string" && isUuid(value) ? [value.toLowerCase()] : [],
  );
  return ids.length === 0 ? new Map() : findEntities(ctx.db, [...new Set(ids)]);
}

type Refuse = (message: string) => Fault;
type ReadProperty = { property: string; value: unknown };

function ofWorkspace({ property, value = null }: ObservationInput, refuse: Refuse): ReadProperty {
  if (/^note\./i.test(property)) throw refuse("a fact of the GTM profile is note.<uuid>, with a uuid that you make.");
  return { property, value };
}

function ofContact(
  type: "person" | "company",
  { kind, property: given, value = null }: ObservationInput,
  refuse: Refuse,
  { owners, employers }: Lookups,
): ReadProperty {
  if (kind === "event") return { property: eventNamed(given), value };
  const named = stateNamed(type, given);
  if ("refusal" in named) throw refuse(named.refusal);
  const { property } = named;
  if (type === "person" && property === "pipeline_stage" && value !== null && !isStage(value))
    throw refuse(`pipeline_stage is one of ${stages.join(", ")}.`);
  if (type === "person" && property === "works_at" && value !== null) {
    const employer = typeof value === "string" ? employers.get(value.toLowerCase()) : undefined;
    if (employer?.type !== "company") throw refuse("works_at is the id of a company of this workspace, or null.");
    return { property, value: employer.id };
  }
  if (property === "owner" && value !== null) return { property, value: ownerOf(value, refuse, owners) };
  if (type !== "person" || property !== "phone" || value === null) return { property, value };
  const phone = typeof value === "string" ? phoneNumber(value) : null;
  if (phone === null) throw refuse("phone is a number in E.164, or with its country code.");
  return { property, value: phone };
}

/** The e-mail address of the member that a value names. */
function ownerOf(value: unknown, refuse: Refuse, owners: MemberFinder): string {
  if (typeof value !== "string") throw refuse("owner is the e-mail address of a member.");
  try {
    return owners(value, "owner").email;
  } catch (error) {
    throw isFault(error) ? refuse(error.message) : error;
  }
}

function factValueOf(value: unknown, refuse: Refuse): FactValue | null {
  if (value === null) return null;
  const parsed = typeof value === "string" ? { content: value } : value;
  const result = FactValueInput.safeParse(parsed);
  if (!result.success)
    throw refuse(
      "the value of note.<uuid> is {category?, content}, a string, or null; content is 1 to 10,000 characters.",
    );
  return result.data;
}

export const recordObservations = implement(contract, async (ctx, input) => {
  const { about, type, seen } = await findMeant(ctx, input.focus);
  const owners = await ownersIn(
    ctx,
    input.observations.map(({ property, value }) => (isNamed(property, "owner") ? { owner: value } : {})),
  );
  const lookups = { owners, employers: await employersIn(ctx, input.observations) };
  const drafts = input.observations.map((item, index) => draftOf(ctx, item, index, type, lookups));
  const result = await recordOne(ctx, { about, drafts }, seen);
  const recorded = countNew(result);
  const staged = result.outcomes.flatMap(({ stages }) => stages ?? []);
  const [before, after] = [staged[0]?.before, staged.at(-1)?.after];
  const warnings = type === "workspace" ? [] : [...warningsOf(input.observations), ...leftOutOf(drafts, result)];
  return {
    entity_id: result.entity.id,
    recorded,
    duplicates: result.outcomes.filter(({ repeated }) => repeated).length,
    observation_ids: result.outcomes.map(({ id }) => id),
    claims_recomputed: [...result.recomputed],
    claims: [...result.believed],
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(before && after ? { stage_before: before, stage_after: after } : {}),
  };
});

/** Of each value that a person said otherwise, and that does not wait either. */
const leftOutOf = (drafts: readonly Draft[], { outcomes, believed }: ReportResult) =>
  drafts.flatMap(({ property }, index) => {
    const isHeld = believed.some((one) => one.property === property && one.approval_id);
    if (!outcomes[index]?.waits || isHeld) return [];
    const message = `${property} was left out: a person said otherwise, and rejected this value, or too many values wait for approval.`;
    return [{ index, message }];
  });

const warningsOf = (observations: readonly ObservationInput[]) =>
  observations.flatMap(({ kind, property }, index) => {
    const message = kind === "event" ? warningOf(property) : null;
    return message === null ? [] : [{ index, message }];
  });
