import { type Caller, nameOfActor } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { Signal } from "#lib/domain/crm/scores/contract.ts";
import { features, rescoring } from "#lib/domain/crm/scores/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { lockEntity } from "#lib/domain/records/evidence/service.ts";
import { scoringSections } from "#lib/domain/records/facts/contract.ts";
import { readFacts } from "#lib/domain/records/facts/service.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { announce } from "#lib/live/announce.ts";
import { ask, type LlmEndpoint, LlmFault } from "#lib/providers/llm/client.ts";
import { getBoot } from "#lib/settings/boot.ts";
import * as contract from "../contract.ts";
import { ANY_VERSION, type Builder, findLatest, findVersions, insertVersion, removeModel } from "../queries.ts";
import { instructions, profileOf, signalsIn, signalsSchema } from "../rules/question.ts";
import { readSections, type Section } from "../rules/read.ts";
import { viewOfVersion } from "../serialize.ts";

/** A person waits for the answer. */
const TIMEOUT_MS = 45_000;

const MOST_FACTS = 500;

type Built = { signals: Signal[]; builder: Builder; notes: string[] };

/** The operator's endpoint; null when none is configured. */
function findLlm(): LlmEndpoint | null {
  const { LLM_URL: url, LLM_MODEL: model, LLM_API_KEY: key } = getBoot().env;
  return url === undefined || model === undefined ? null : { url, model, key };
}

export const getScoringModel = implement(contract.getScoringModel, async ({ db }) => {
  const latest = await findLatest(db);
  return {
    model: latest && viewOfVersion(latest),
    features: features.map((feature) => ({ ...feature })),
    builder: findLlm() ? ("llm" as const) : ("rules" as const),
  };
});

export const listScoringModels = implement(contract.listScoringModels, async ({ db }, { before, limit }) => {
  const versions = await findVersions(db, before ?? ANY_VERSION, limit + 1);
  return { versions: versions.slice(0, limit).map(viewOfVersion), has_more: versions.length > limit };
});

export const buildScoringModel = implement(
  contract.buildScoringModel,
  async (ctx, { force, signals: given }, built: Built | null) => {
    // Two who save at once get versions one after the other.
    await lockEntity(ctx.db, ctx.workspaceId);
    const latest = await findLatest(ctx.db);
    if (latest && !force) throw new Fault("model_exists", { signals: latest.signals });
    const { signals, builder, notes } = given
      ? { signals: given, builder: "given" as const, notes: [] }
      : (built as Built);
    const by = nameOfActor(ctx);
    const version = await addVersion(ctx, latest, { signals, builder, by });
    return { ok: true as const, signals, version, builder, notes };
  },
  {
    // Outside of the transaction: a language model takes its time.
    async before(caller, { force, signals }): Promise<Built | null> {
      const latest = await withWorkspace(caller.workspaceId, findLatest, { readOnly: true });
      if (latest && !force) throw new Fault("model_exists", { signals: latest.signals });
      return signals ? null : buildFromProfile(caller);
    },
  },
);

/** Makes a version the current one and has everyone scored with it. The caller holds the workspace's lock. */
async function addVersion(
  ctx: Ctx,
  latest: { version: number } | null,
  { signals, builder, by }: { signals: readonly Signal[]; builder: Builder; by: string },
): Promise<number> {
  const { version } = await insertVersion(ctx.db, {
    ...{ id: newId(), version: (latest?.version ?? 0) + 1, signals, builder, by },
  });
  await enqueue(ctx.db, rescoring, {});
  await recordAudit(ctx, "scoring_model.saved", null, { version, builder, signals: signals.length });
  ctx.db.afterCommit(() => announce(ctx.workspaceId, { topic: "scores" }));
  return version;
}

/** The first model of a workspace that has none, read from its profile without a language model. */
export async function buildFirstModel(ctx: Ctx, by: string): Promise<void> {
  await lockEntity(ctx.db, ctx.workspaceId);
  if (await findLatest(ctx.db)) return;
  const { signals } = readSections(await readProfile(ctx));
  if (signals.length > 0) await addVersion(ctx, null, { signals, builder: "rules", by });
}

/** Removes the model when its current version is by `by`, and by a job every score; returns whether it was. */
export async function removeModelBy(ctx: Ctx, by: string): Promise<boolean> {
  await lockEntity(ctx.db, ctx.workspaceId);
  if ((await findLatest(ctx.db))?.createdBy !== by) return false;
  await removeModel(ctx.db);
  await enqueue(ctx.db, rescoring, {});
  ctx.db.afterCommit(() => announce(ctx.workspaceId, { topic: "scores" }));
  return true;
}

export const draftScoringModel = implement(contract.draftScoringModel, async (_ctx, _input, built: Built) => built, {
  before: (caller): Promise<Built> => buildFromProfile(caller),
});

/** Signals from the current facts. Throws 400 `no_gtm_context` when there are none to be had. */
async function buildFromProfile(caller: Caller): Promise<Built> {
  const sections = await withWorkspace(caller.workspaceId, (db) => readProfile({ ...caller, db }), { readOnly: true });
  if (sections.length === 0) throw new Fault("no_gtm_context");
  const llm = findLlm();
  const asked = llm && (await askLlm(llm, sections));
  if (asked?.built) return asked.built;
  const { signals, notes } = readSections(sections);
  if (signals.length === 0)
    throw new Fault(
      "no_gtm_context",
      {},
      "The GTM profile names no titles, industries, company sizes, places, products or exclusions. Write them into the section ICP, or send signals.",
    );
  return { signals, builder: "rules", notes: [...(asked ? [asked.note] : []), ...notes] };
}

/** The facts that scoring follows from, in the order of their sections and the oldest first. */
async function readProfile(ctx: Ctx): Promise<Section[]> {
  const facts = await readFacts(ctx, { categories: [...scoringSections], limit: MOST_FACTS });
  return scoringSections.flatMap((name) =>
    facts
      .filter(({ category }) => category === name)
      .toReversed()
      .map(({ content }) => ({ name, content })),
  );
}

async function askLlm(
  endpoint: LlmEndpoint,
  sections: readonly Section[],
): Promise<{ built: Built; note?: undefined } | { built: null; note: string }> {
  try {
    const question = { system: instructions, user: profileOf(sections), schema: signalsSchema, read: signalsIn };
    const { signals, dropped } = await ask(endpoint, question, TIMEOUT_MS);
    const notes = dropped > 0 ? [`${dropped} of its signals were not valid and were left out.`] : [];
    return { built: { signals, builder: "llm", notes } };
  } catch (error) {
    if (!(error instanceof LlmFault)) throw error;
    return { built: null, note: `The language model ${error.message}, so the words of the profile were read instead.` };
  }
}
