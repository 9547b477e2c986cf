import { canonicalJson } from "#lib/core/json.ts";
import { type ActivityType, activityOf, ownEvents } from "#lib/domain/records/evidence/contract.ts";
import {
  type Belief,
  type CurrentBelief,
  type Draft,
  isBookkeeping,
  type NewEvidence,
} from "#lib/domain/records/evidence/service.ts";
import type { NewEvent } from "#lib/domain/records/outbox/service.ts";
import { type Contact, type DraftResult, type HeldDraft, outcomeOf, STAGE } from "./contact.ts";
import type { LeadNews } from "./lead-moves.ts";
import { saidByActivity } from "./leads.ts";
import { eventIn, isHigher, type Stage, stageAfter, stageOf, standardRules } from "./stages.ts";
import type { Who } from "./who.ts";
import { keyOf, type Needs, pairOf, type Report, type World } from "./world.ts";

/** Turns drafts into evidence about contacts, and moves their stages and leads. */
export class Intake {
  readonly events: NewEvent[] = [];
  /** activities of people who may be leads */
  readonly leadNews: LeadNews[] = [];
  /** about everyone but employers, which are only named by others */
  learned: NewEvidence[] = [];
  private readonly world: World;
  private readonly needs: Needs;
  private readonly who: Who;

  constructor(world: World, needs: Needs, who: Who) {
    this.world = world;
    this.needs = needs;
    this.who = who;
  }

  /** The result of a draft that was recorded before; null: it is new. */
  repeatOf(
    { about }: Pick<Report, "about">,
    contact: Contact,
    { kind, property, source, externalId }: Draft,
  ): DraftResult | null {
    if (externalId === undefined) return null;
    const earlier = contact.results.get(`${source}\n${externalId}`);
    if (earlier) return { ...earlier, repeated: true };
    const who = "id" in about ? { id: about.id } : about.named[0];
    const recorded = who && this.world.lookups.get(keyOf({ who, source, externalId }))?.recorded;
    if (!recorded) return null;
    const isActivity = kind === "event" && activityOf(property) !== null;
    return isActivity
      ? outcomeOf(recorded, contact.stage)
      : { ...outcomeOf(recorded, null), stages: null, introduces: false };
  }

  /** Takes the drafts of a report, in order. */
  tell(contact: Contact, report: Report, created: boolean) {
    const outcomes: DraftResult[] = [];
    const held: HeldDraft[] = [];
    const believed = new Map<string, CurrentBelief>();
    const states = new Map<string, { value: unknown; before: Belief | null }>();
    const isNews = report.amends !== true;
    let stands = {
      from: contact.stage,
      by: null as { id: string; causedBy?: string } | null,
      isNews: isNews && !created,
    };
    // Sums up the states since the last activity.
    const sumUp = () => {
      for (const [property, { value, before }] of states) {
        const now = contact.weighing.believed(property, value, before);
        believed.set(property, { ...now, changed: now.changed || believed.get(property)?.changed === true });
      }
      states.clear();
      const { from, by } = stands;
      if (by !== null && stands.isNews && from && contact.stage && isHigher(contact.stage, from))
        this.events.push(stageAdvanced(contact.entity.id, by.id, from, contact.stage, by.causedBy ?? null));
      stands = { from: contact.stage, by: null, isNews };
    };
    for (const given of report.drafts) {
      const draft = this.vouchedFor(given);
      const { kind, property, value } = draft;
      const isState = kind === "state";
      if (isState) this.needEvidence(contact, property);
      const before = isState && !states.has(property) ? contact.weighing.beliefOn(property) : null;
      if (isState) states.set(property, { value, before: states.get(property)?.before ?? before });
      const activity = isState || contact.entity.type === "workspace" || report.amends ? null : activityOf(property);
      if (activity !== null) sumUp();
      const earlier = this.repeatOf(report, contact, draft);
      const introduces = created && report.introduces !== undefined && outcomes.length === 0;
      const kept = isState && !earlier ? this.keptByPeople(contact, draft) : null;
      if (kept) held.push({ ...draft, saidAt: kept.saidAt });
      const outcome =
        earlier ??
        kept?.outcome ??
        (activity ? this.happens(contact, draft, activity, introduces) : this.learnUnlessRepeated(contact, draft));
      outcomes.push(outcome);
      if (activity !== null) stands.from = contact.stage;
      if (draft.externalId !== undefined && !kept) contact.results.set(`${draft.source}\n${draft.externalId}`, outcome);
      if (isState && property === STAGE && contact.stage !== null) {
        const belief = contact.weighing.beliefOn(STAGE);
        if (!outcome.repeated) contact.stage = stageOf(belief?.ended ? undefined : belief?.value);
        stands.by = { ...draft, id: outcome.id };
      }
    }
    sumUp();
    // Where the same call recorded something else by its external id, approving it would seem to repeat that.
    const isTaken = ({ source, externalId }: HeldDraft) => contact.results.has(`${source}\n${externalId}`);
    const waits = held.map((draft) => (isTaken(draft) ? { ...draft, externalId: undefined } : draft));
    return { outcomes, believed: [...believed.values()], held: waits };
  }

  /** What a person allowed the caller to set for good counts as asserted: otherwise a person's word would stay. */
  private vouchedFor(draft: Draft): Draft {
    const isAllowed = draft.kind === "state" && this.world.peoplesWord?.allowed.has(draft.property);
    return isAllowed && !draft.onlyBlank ? { ...draft, method: "asserted" } : draft;
  }

  /** The result of a state that must wait, since it would change what a person said, and when they did; null: it need not. */
  private keptByPeople({ weighing, entity }: Contact, draft: Draft): { outcome: DraftResult; saidAt: Date } | null {
    const { property, value, onlyBlank, observedAt } = draft;
    const { peoplesWord } = this.world;
    if (!peoplesWord || onlyBlank || isBookkeeping(property) || peoplesWord.allowed.has(property)) return null;
    const belief = weighing.beliefOn(property);
    const said =
      belief && (belief.ended ? [belief.ended.by] : belief.support).findLast((id) => peoplesWord.said.has(id));
    if (!said || currentText(belief) === canonicalJson(value)) return null;
    // What was so before a person said otherwise is history, and changes nothing.
    const word = weighing.evidenceOn(property).find(({ id }) => id === said);
    const isHistory = observedAt !== null && word !== undefined && observedAt < word.observedAt;
    if (isHistory && currentText(weighing.beliefWith(draft)) === currentText(belief)) return null;
    const outcome = { id: said, of: entity.id, repeated: false, stages: null, introduces: false, waits: true } as const;
    return { outcome, saidAt: word?.recordedAt ?? this.world.at };
  }

  private learnUnlessRepeated(contact: Contact, draft: Draft): DraftResult {
    const before = contact.weighing.saidBefore(draft);
    const id = before ?? this.learn(contact, draft).id;
    return { id, of: contact.entity.id, repeated: before !== null, stages: null, introduces: false };
  }

  /** Takes what is new, other than an activity. */
  learn(contact: Contact, draft: Draft): NewEvidence {
    const { kind, property, observedAt, causedBy } = draft;
    if (kind === "state") this.needEvidence(contact, property);
    if (property === "name") this.who.holdLabel(contact);
    const employer = property === "works_at" ? this.world.lookups.get(String(draft.value)) : undefined;
    if (employer) this.who.holdLabel({ label: employer });
    if (kind === "event") this.touch(contact, property, observedAt);
    const moves = property === STAGE && causedBy !== undefined;
    if (moves) contact.touched = contact.moved = true;
    else this.who.show(contact);
    const item = contact.weighing.learn(moves ? { ...draft, observedAt: this.dateOfMove(contact) } : draft);
    this.learned.push(item);
    return item;
  }

  /** A stage that an activity moved is never dated earlier than what it moves from, by any clock. */
  private dateOfMove({ weighing }: Contact): Date {
    const times = weighing.evidenceOn(STAGE).map(({ observedAt }) => observedAt.getTime());
    return new Date(Math.max(this.world.at.getTime(), ...times));
  }

  /** Takes an activity, with the stage and the leads that it moves. */
  private happens(contact: Contact, draft: Draft, type: ActivityType, introduces: boolean): DraftResult {
    const stages = this.stagesOf(contact, draft, type);
    const item = contact.weighing.learn(draft);
    this.learned.push({
      ...item,
      stageBefore: introduces ? null : (stages?.before ?? null),
      stageAfter: stages?.after ?? null,
    });
    const { id } = item;
    const entityId = contact.entity.id;
    this.events.push({ type: `activity.${type}`, entityId, observationId: id });
    const says = contact.isLead ? saidByActivity(type) : null;
    if (says !== null) this.leadNews.push({ entityId, observationId: id, says, at: item.observedAt });
    if (stages && stages.before !== stages.after) this.move(contact, stages.after, draft.source, id, stages.before);
    contact.touched = true;
    this.touch(contact, draft.property, draft.observedAt);
    return { id, of: entityId, repeated: false, stages, introduces };
  }

  private stagesOf(contact: Contact, { value, observedAt }: Draft, type: ActivityType): DraftResult["stages"] {
    const { stage: before } = contact;
    if (before === null) return null;
    if (this.world.rules === null) this.needs.rules = true; // foreseen by the standard ones
    const activity = {
      type,
      event: eventIn(value),
      occurredAt: observedAt ?? this.world.at,
      recordedAt: this.world.at,
    };
    return { before, after: stageAfter(this.world.rules ?? standardRules, before, activity) };
  }

  /** A stage that an activity moved is asserted, like one set by hand: the later of the two counts, and neither blocks the other. */
  private move(contact: Contact, stage: Stage, source: string, causedBy: string, before: Stage): void {
    const draft = { kind: "state", property: STAGE, value: stage, source, method: "asserted", causedBy } as const;
    const { id } = this.learn(contact, { ...draft, observedAt: null });
    contact.stage = stage;
    this.events.push(stageAdvanced(contact.entity.id, id, before, stage, causedBy));
  }

  /** When it had happened at the latest: a meeting to come counts as of now, and a note of ours is no activity. */
  private touch(contact: Contact, property: string, observedAt: Date | null): void {
    if (ownEvents.includes(property)) return;
    const at = observedAt !== null && observedAt < this.world.at ? observedAt : this.world.at;
    if (contact.activityAt === null || at > contact.activityAt) contact.activityAt = at;
  }

  private needEvidence({ entity, isNew }: Contact, property: string): void {
    if (isNew) return;
    const { id, absorbed } = entity;
    this.needs.evidence.set(pairOf(entity, property), { id, parts: [id, ...absorbed], property });
  }
}

const currentText = (belief: Belief | null): string => canonicalJson(belief?.ended ? null : (belief?.value ?? null));

/** The event of a person's stage going up; `causedBy` is the activity that moved it, null when someone set it. */
const stageAdvanced = (
  entityId: string,
  observationId: string,
  from: Stage,
  to: Stage,
  causedBy: string | null,
): NewEvent => ({ type: "stage.advanced", entityId, observationId, data: { from, to, activity_id: causedBy } });
