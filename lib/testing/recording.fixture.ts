/** A workspace in memory, in which decisions are tested, and short words for reports. */
import { isFault } from "#lib/core/errors.ts";
import type { ReportResult } from "#lib/domain/crm/recording/rules/contact.ts";
import { Decision } from "#lib/domain/crm/recording/rules/decide.ts";
import { stageOf, standardRules } from "#lib/domain/crm/recording/rules/stages.ts";
import {
  keyOf,
  type Lookup,
  pairOf,
  type Report,
  referencesOf,
  referenceTo,
  type World,
} from "#lib/domain/crm/recording/rules/world.ts";
import { type EntityRow, type Identifier, identifierKey } from "#lib/domain/records/entities/service.ts";
import type { Draft, NewClaim, StoredEvidence } from "#lib/domain/records/evidence/service.ts";

export const at = new Date("2026-11-21T12:00:00Z");
export const workspaceId = "00000000-0000-7000-8000-000000000000";
export const noOne: Lookup = {
  ...{ now: at, id: null, type: "person", status: "active", absorbed: [], createdAt: at, isLead: false },
  ...{ stage: null, name: null, domain: null, recorded: null },
};

/** A workspace in memory: what a database keeps of what was decided, and the world it reads for the next reports. */
export class Memory {
  readonly entities = new Map<string, EntityRow & { isLead: boolean }>();
  readonly owners = new Map<string, string>();
  readonly evidence: (StoredEvidence & { entityId: string; stages: [unknown, unknown] })[] = [];
  readonly claims = new Map<string, NewClaim>();
  readonly events: { type: string; entityId: string; data?: unknown }[] = [];
  private made = 0;

  newId = (): string => `00000000-0000-7000-8000-${String(++this.made).padStart(12, "0")}`;

  record(...reports: Report[]): { results: ReturnType<Decision["take"]>[]; decision: Decision } {
    const world = this.world(reports);
    const decision = new Decision(world);
    const results = reports.map((report) => decision.take(report));
    for (const { entity } of decision.contacts.values())
      this.entities.set(entity.id, { ...entity, isLead: this.entities.get(entity.id)?.isLead ?? false });
    for (const { entity, loses } of decision.contacts.values())
      for (const named of loses)
        if (this.owners.get(identifierKey(named)) === entity.id) this.owners.delete(identifierKey(named));
    for (const { entityId, lost, ...named } of decision.identifiers)
      if (!lost) this.owners.set(identifierKey(named), entityId);
    for (const item of decision.evidence)
      this.evidence.push({
        ...item,
        seq: this.evidence.length + 1,
        stages: [item.stageBefore ?? null, item.stageAfter ?? null],
      });
    for (const claim of decision.claims()) this.claims.set(`${claim.entityId} ${claim.property}`, claim);
    this.events.push(...decision.events);
    return { results, decision };
  }

  claimsOf = (id: string): Map<string, unknown> =>
    new Map(
      [...this.claims.values()].flatMap(({ entityId, property, belief }) =>
        entityId === id && belief.ended === null ? [[property, belief.value] as const] : [],
      ),
    );

  identifiersOf = (id: string): Identifier[] =>
    [...this.owners]
      .filter(([, owner]) => owner === id)
      .map(([name]) => ({
        kind: name.slice(0, name.indexOf(" ")) as Identifier["kind"],
        value: name.slice(name.indexOf(" ") + 1),
      }))
      .toReversed();

  world(reports: readonly Report[]): World {
    const references = [
      ...reports.flatMap(referencesOf),
      ...[...this.owners].map(([name]) =>
        referenceTo({ kind: name.split(" ")[0] as Identifier["kind"], value: name.split(" ")[1] as string }),
      ),
      ...["acme.com", "globex.io"].map((value) => referenceTo({ kind: "domain", value })),
      ...[...this.entities.keys()].map((id) => referenceTo({ id })),
    ];
    const lookups = references.flatMap((reference) => {
      const { who } = reference;
      const entity = this.lookedAt("kind" in who ? this.owners.get(identifierKey(who)) : who.id, reference);
      return [
        [keyOf(reference), entity],
        ["kind" in who ? identifierKey(who) : who.id, entity],
      ] as const;
    });
    const properties = new Set(this.evidence.map(({ property }) => property));
    return {
      ...{
        at,
        workspaceId,
        source: "api",
        newId: this.newId,
        rules: standardRules,
        erased: new Map(),
        onPurpose: true,
        peoplesWord: null,
      },
      lookups: new Map(lookups),
      evidence: Map.groupBy(this.evidence, ({ entityId }) => entityId),
      weighed: new Set(
        [...this.entities.values()].flatMap((entity) => [...properties].map((one) => pairOf(entity, one))),
      ),
      subjects: new Map(
        [...this.entities.values()].map(({ id, status }) => [
          id,
          {
            ...{ id, status, name: null, domain: null, formerId: null, employer: null, noted: null },
            ...{ identifiers: this.identifiersOf(id), namedAt: null },
            claims: [...this.claimsOf(id)],
          },
        ]),
      ),
    };
  }

  private lookedAt(id: string | undefined, { source, externalId }: ReturnType<typeof referenceTo>): Lookup {
    const entity = this.entities.get(id ?? "");
    if (!entity) return noOne;
    const recorded = this.evidence.find(
      (one) => externalId !== null && one.entityId === id && one.source === source && one.externalId === externalId,
    );
    const [before, after] = (recorded?.stages ?? [null, null]) as [Lookup["stage"], Lookup["stage"]];
    const stage = entity.type === "person" ? stageOf(this.claimsOf(entity.id).get("pipeline_stage")) : null;
    return {
      ...noOne,
      ...entity,
      stage,
      recorded: recorded ? { id: recorded.id, of: recorded.entityId, before, after } : null,
    };
  }
}

export const email = (value: string): Identifier => ({ kind: "email", value });
export const state = (property: string, value: unknown, more: Partial<Draft> = {}): Draft => ({
  ...{ kind: "state", property, value, source: "api", method: "observed", observedAt: null },
  ...more,
});
export const activity = (type: string, externalId?: string, more: Partial<Draft> = {}): Draft => ({
  ...{ kind: "event", property: `interaction.${type}`, value: {}, source: "api", method: "observed", observedAt: null },
  ...(externalId === undefined ? {} : { externalId }),
  ...more,
});
export const about = (address: string, ...drafts: Draft[]): Report => ({
  about: { named: [email(address)], type: "person", create: true },
  drafts,
});
export const good = (result: ReturnType<Decision["take"]> | undefined): ReportResult => {
  if (result === undefined || isFault(result)) throw new Error(`was refused: ${String(result?.code)}`);
  return result;
};
export const statements = (memory: Memory): unknown[] =>
  memory.evidence.map(({ property, value, source, causedBy }) => [property, value, source, causedBy !== null]);

/** Decides on reports in a world that differs from what is stored. */
export function decideIn(
  memory: Memory,
  reports: readonly Report[],
  differs: (world: World) => Partial<World> = () => ({}),
) {
  const world = memory.world(reports);
  const decision = new Decision({ ...world, ...differs(world) });
  const results = reports.map((report) => decision.take(report));
  return { decision, results, contacts: [...decision.contacts.values()] };
}

/** People who are known by these addresses, and their ids. */
export function memoryOf(...addresses: string[]): { memory: Memory; ids: string[] } {
  const memory = new Memory();
  memory.record(...addresses.map((address) => about(address)));
  return { memory, ids: addresses.map((address) => memory.owners.get(`email ${address}`) as string) };
}

export const ofCompany = (domain: string, ...drafts: Draft[]): Report => ({
  about: { named: [{ kind: "domain", value: domain }], type: "company", create: true },
  drafts,
});
export const url = (slug: string): Identifier => ({
  kind: "linkedin_url",
  value: `https://www.linkedin.com/in/${slug}`,
});
export const [a, b, c] = ["anna@gmail.com", "ben@gmail.com", "cara@gmail.com"] as const;
