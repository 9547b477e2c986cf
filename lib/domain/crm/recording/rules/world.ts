import { isUuid } from "#lib/core/ids.ts";
import {
  type EntityRow,
  type EntityType,
  type IdentifierKind,
  identifierKey,
  type Named,
} from "#lib/domain/records/entities/service.ts";
import type { Draft, EvidenceOf } from "#lib/domain/records/evidence/service.ts";
import type { Stage, StageRules } from "./stages.ts";

/** Something that is said about one person or company, or about the workspace. */
export type Report = {
  about: About;
  /** what is said, in order */
  said: readonly Draft[];
  /** the source of what follows by itself; default: that of the first thing said, or the caller's */
  source?: string | undefined;
  /** what is said only of who is created for it; the first thing that is said of them after it is the cause */
  introduces?: readonly Draft[];
  /** what is said of a company beside, and the terms on which it is said that the person works there; null: it is not */
  employer?: Omit<Report, "employer"> & { terms: Omit<Draft, "kind" | "property" | "value" | "method"> | null };
  /** it corrects what was recorded: an event in it moves nothing, and no one is told */
  amends?: true;
  /** archives it, or brings it back */
  status?: EntityRow["status"] | undefined;
  /** the bulk action that sets the status */
  action?: string | null;
  /** identifiers that it loses: all of a kind, or one */
  loses?: readonly { kind: IdentifierKind; value?: string }[];
  /** the identifier that is the primary one of its kind from now on */
  prefers?: Named | undefined;
};

/** Whom a report is about: an entity that is there, or the one that identifiers name together, and that may be new. */
export type About =
  | { id: string; gets?: readonly Named[]; only?: readonly EntityType[] }
  | { named: readonly Named[]; type: "person" | "company"; create: boolean | "unless_erased" };

/** Something that is looked up: who has an id or identifier, and what was said of them under an external id. */
export type Reference = { who: { id: string } | Named; source: string | null; externalId: string | null };

/** What was recorded under the source and external id of a reference. */
export type Repeat = { id: string; of: string; before: Stage | null; after: Stage | null };

/** What is known of a reference. */
export type Looked = Omit<EntityRow, "id"> & {
  /** by the database's clock */
  now: Date;
  /** null: there is no such entity, and nothing else is known */
  id: string | null;
  isLead: boolean;
  stage: Stage | null;
  /** of a company */
  name: string | null;
  domain: string | null;
  known: Repeat | null;
};

export type Label = { name: string | null; domain: string | null };
export type Employer = Label & { id: string };

/** What the row of a record is made of, and what it said before. */
export type Subject = Label & {
  id: string;
  /** null: it has no row */
  status: EntityRow["status"] | null;
  /** the company that a person's row names */
  formerId: string | null;
  /** active ones, the primary one of a kind before the others */
  identifiers: readonly Named[];
  /** when it got or preferred the latest of them */
  namedAt: Date | null;
  claims: readonly (readonly [property: string, value: unknown])[];
  /** the company that is believed, or what it was merged into */
  employer: Employer | null;
  /** the words by which its notes are found; null: it has none */
  noted: { search: string | null; named: boolean } | null;
};

/** Everything that a decision is made from, as of one moment. */
export type World = {
  at: Date;
  workspaceId: string;
  /** the source of what the caller says, unless it says another */
  source: string;
  newId: () => string;
  /** by `keyOf` a reference, and by the id or identifier alone */
  looked: ReadonlyMap<string, Looked>;
  /** null: not read */
  rules: StageRules | null;
  /** of each entity and those merged into it, in the order it was learned */
  evidence: ReadonlyMap<string, readonly EvidenceOf[]>;
  /** `pairOf` the entities and properties whose evidence was read */
  weighed: ReadonlySet<string>;
  subjects: ReadonlyMap<string, Subject>;
  /** identifiers for which it was asked whether their person was erased, and the answer; by `keyOf` */
  erased: ReadonlyMap<string, boolean>;
};

/** What a decision needs to be right: what must be locked before the world is read, and what must be read. */
export type Needs = {
  names: Map<string, Named>;
  entities: Set<string>;
  references: Map<string, Reference>;
  evidence: Map<string, { id: string; parts: readonly string[]; property: string }>;
  subjects: Set<string>;
  erased: Map<string, Named>;
  rules: boolean;
};

export const whoOf = (who: Reference["who"]): string => ("kind" in who ? identifierKey(who) : who.id);

export const keyOf = ({ who, source, externalId }: Reference): string =>
  externalId === null ? whoOf(who) : `${whoOf(who)}\n${source}\n${externalId}`;

/** An entity as far as evidence on a property counts for it: with what was merged into it. */
export const pairOf = ({ id, absorbed }: Pick<EntityRow, "id" | "absorbed">, property: string): string =>
  `${[id, ...absorbed].join(" ")} ${property}`;

export const referenceTo = (who: { id: string } | Named): Reference => ({ who, source: null, externalId: null });

/** What is looked up before anything else is known: whom a report names, and what was said of them before. */
export function referencesOf({ about, said, employer }: Report): Reference[] {
  const named = "id" in about ? [{ id: about.id }, ...(about.gets ?? [])] : about.named;
  const [first] = named;
  if (first === undefined) return [];
  const told = said.flatMap(({ source, externalId }) =>
    externalId === undefined ? [] : [{ who: first, source, externalId }],
  );
  const employers = said.flatMap(({ property, value }) =>
    property === "works_at" && typeof value === "string" && isUuid(value) ? [referenceTo({ id: value })] : [],
  );
  return [
    ...(told.length > 0 ? told : [referenceTo(first)]),
    ...named.slice(1).map(referenceTo),
    ...employers,
    ...(employer ? referencesOf(employer) : []),
  ];
}
