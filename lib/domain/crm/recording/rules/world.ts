import { isUuid } from "#lib/core/ids.ts";
import {
  type EntityRow,
  type EntityType,
  type Identifier,
  type IdentifierKind,
  identifierKey,
} from "#lib/domain/records/entities/service.ts";
import type { Draft, EvidenceOf } from "#lib/domain/records/evidence/service.ts";
import type { Stage, StageRules } from "./stages.ts";

/** What a caller reports about one person or company, or about the workspace. */
export type Report = {
  about: About;
  /** the evidence to record, in order */
  drafts: readonly Draft[];
  /** the source of what follows by itself; default: that of the first draft, or the caller's */
  source?: string | undefined;
  /** recorded only when the contact is created; the first draft counts as its cause */
  introduces?: readonly Draft[];
  /** a report about the person's company, and the terms of the evidence that they work there; null: there is none */
  employer?: Omit<Report, "employer"> & { terms: Omit<Draft, "kind" | "property" | "value" | "method"> | null };
  /** it corrects what was recorded: its events move nothing and trigger nothing */
  amends?: true;
  /** archives it, or brings it back */
  status?: EntityRow["status"] | undefined;
  /** the bulk action that sets the status */
  action?: string | null;
  /** identifiers that it loses: all of a kind, or one */
  loses?: readonly { kind: IdentifierKind; value?: string }[];
  /** the identifier that is the primary one of its kind from now on */
  prefers?: Identifier | undefined;
};

/** The subject of a report: an existing entity, or the one that these identifiers name together, which may be new. */
export type About =
  | { id: string; gets?: readonly Identifier[]; only?: readonly EntityType[] }
  | { named: readonly Identifier[]; type: "person" | "company"; create: boolean };

/** Something to look up: the entity with an id or identifier, and what was recorded about it under an external id. */
export type Reference = { who: { id: string } | Identifier; source: string | null; externalId: string | null };

/** What was recorded under the source and external id of a reference. */
export type Repeat = { id: string; of: string; before: Stage | null; after: Stage | null };

/** What the database has for a reference. */
export type Lookup = Omit<EntityRow, "id"> & {
  /** by the database's clock */
  now: Date;
  /** null: there is no such entity, and the other fields are empty */
  id: string | null;
  isLead: boolean;
  stage: Stage | null;
  /** of a company */
  name: string | null;
  domain: string | null;
  recorded: Repeat | null;
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
  identifiers: readonly Identifier[];
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
  lookups: ReadonlyMap<string, Lookup>;
  /** null: not read */
  rules: StageRules | null;
  /** of each entity and those merged into it, in the order it was learned */
  evidence: ReadonlyMap<string, readonly EvidenceOf[]>;
  /** `pairOf` the entities and properties whose evidence was read */
  weighed: ReadonlySet<string>;
  subjects: ReadonlyMap<string, Subject>;
  /** whether the caller chose whom it names, and so creates again who was erased: a webhook, a job and a file did not */
  onPurpose: boolean;
  /** identifiers for which it was asked whether their person was erased, and the answer; by `keyOf` */
  erased: ReadonlyMap<string, boolean>;
  /** of a caller who leaves people their word: which evidence people gave, and the properties it may set all the same; else null */
  peoplesWord: { said: ReadonlySet<string>; allowed: ReadonlySet<string> } | null;
};

/** What a decision needs to be right: what must be locked before the world is read, and what must be read. */
export type Needs = {
  names: Map<string, Identifier>;
  entities: Set<string>;
  references: Map<string, Reference>;
  evidence: Map<string, { id: string; parts: readonly string[]; property: string }>;
  subjects: Set<string>;
  erased: Map<string, Identifier>;
  rules: boolean;
};

export const whoOf = (who: Reference["who"]): string => ("kind" in who ? identifierKey(who) : who.id);

export const keyOf = ({ who, source, externalId }: Reference): string =>
  externalId === null ? whoOf(who) : `${whoOf(who)}\n${source}\n${externalId}`;

/** An entity as far as evidence on a property counts for it: with what was merged into it. */
export const pairOf = ({ id, absorbed }: Pick<EntityRow, "id" | "absorbed">, property: string): string =>
  `${[id, ...absorbed].join(" ")} ${property}`;

export const referenceTo = (who: { id: string } | Identifier): Reference => ({ who, source: null, externalId: null });

/** What is looked up first: the entities that a report names, and repeats of its drafts. */
export function referencesOf({ about, drafts, employer }: Report): Reference[] {
  const named = "id" in about ? [{ id: about.id }, ...(about.gets ?? [])] : about.named;
  const [first] = named;
  if (first === undefined) return [];
  const repeats = drafts.flatMap(({ source, externalId }) =>
    externalId === undefined ? [] : [{ who: first, source, externalId }],
  );
  const employers = drafts.flatMap(({ property, value }) =>
    property === "works_at" && typeof value === "string" && isUuid(value) ? [referenceTo({ id: value })] : [],
  );
  return [
    ...(repeats.length > 0 ? repeats : [referenceTo(first)]),
    ...named.slice(1).map(referenceTo),
    ...employers,
    ...(employer ? referencesOf(employer) : []),
  ];
}

/** The identifiers of people that a report names. */
export const peopleNamed = ({ about }: Report): readonly Identifier[] =>
  "id" in about ? (about.gets ?? []) : about.type === "person" ? about.named : [];
