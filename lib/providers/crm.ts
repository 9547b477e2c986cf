import type { z } from "zod";
import { type Call, ProviderFault, request } from "./request.ts";

/** What a person's contact in a CRM can say, in our words. `stage` is kept in a field of its own, which we create. */
export type CrmField =
  | "email"
  | "first_name"
  | "last_name"
  | "job_title"
  | "company"
  | "company_domain"
  | "phone"
  | "linkedin_url"
  | "stage";
export type CrmValues = Partial<Readonly<Record<CrmField, string>>>;

/** A contact as the CRM has it. */
export type CrmContact = { recordId: string; url: string | null; emails: readonly string[]; values: CrmValues };

/** A contact to create (without a record) or to change. `key` is our id of the person; only `values` are written. */
export type CrmWrite = { key: string; recordId: string | null; values: CrmValues };

/**
 * The result of one write. `existing`: the CRM has a contact with this address already and nothing was written. `gone`:
 * the record was deleted there.
 */
export type CrmWriteResult =
  | { recordId: string; url: string | null; created: boolean }
  | { existing: string }
  | { problem: string; gone: boolean };

/** A note or activity of a contact. `id` is ours; it is written into the text, so that `findEntry` can find it again. */
export type CrmEntry = {
  id: string;
  kind: "note" | "activity" | "meeting";
  title: string;
  text: string;
  at: Date;
  /** of a meeting */
  end?: Date | null;
  status?: "scheduled" | "held";
};

/** Which limit of the CRM a call counts for. */
export type CrmTurn = "read" | "write" | "search";

export type CrmSession = {
  base: string;
  configured: boolean;
  token: string;
  /** the provider's id of the portal; empty when it does not say */
  portal: string;
  /** awaited before each call: keeps the pace */
  turn(kind: CrmTurn): Promise<void>;
};

type Ask = <T extends z.ZodType>(
  session: CrmSession,
  kind: CrmTurn,
  schema: T,
  call: Omit<Call, "headers">,
) => Promise<{ status: number; data: z.output<T> }>;

/** How a CRM is asked: sends a request within the pace, and reads the answer. Throws `ProviderFault`. */
export const askerOf =
  (provider: string): Ask =>
  async ({ base, configured, token, turn }, kind, schema, call) => {
    await turn(kind);
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await request({ provider, base, configured }, { ...call, headers });
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw new ProviderFault(provider, "unreadable", { status });
    return { status, data: parsed.data };
  };

/** A connection to one portal of a CRM. Each call throws `ProviderFault`. */
export type Crm = {
  /** Creates the fields of ours that the portal lacks. Calling it again changes nothing. */
  prepare(): Promise<void>;
  /** The contacts that have one of these addresses (lower case, at most `batch`). */
  findByEmail(emails: readonly string[]): Promise<CrmContact[]>;
  /** A page of all contacts; the first for an empty cursor. `next` is null behind the last. */
  listContacts(cursor: string): Promise<{ contacts: CrmContact[]; next: string | null }>;
  /** These records (at most `batch`), by the id that was asked for; one that is gone is not among them. */
  readContacts(recordIds: readonly string[]): Promise<ReadonlyMap<string, CrmContact>>;
  /**
   * Writes contacts (at most `batch`), by key. Writing the same again changes nothing more, even when no one heard the
   * first answer. When the CRM fails half-way, what was written until then, with the fault.
   */
  writeContacts(
    writes: readonly CrmWrite[],
  ): Promise<{ written: ReadonlyMap<string, CrmWriteResult>; fault: ProviderFault | null }>;
  /** Adds a note or activity to a contact; returns its id there. Adding it again would add a second. */
  addEntry(recordId: string, entry: CrmEntry): Promise<string>;
  /** The id of an entry that was added before; null when it never arrived. */
  findEntry(recordId: string, entry: CrmEntry): Promise<string | null>;
};

export type CrmAdapter = {
  /** the fields it has a place for */
  fields: readonly CrmField[];
  /** fields that it takes only together, such as the parts of a name */
  groups: readonly (readonly CrmField[])[];
  /** contacts in one call */
  batch: number;
  /** milliseconds between two calls, which keeps below the CRM's limit and leaves room for others */
  pace: Readonly<Record<CrmTurn, number>>;
  open(session: CrmSession): Crm;
};

/** The line that identifies an entry in its text. */
export const referenceOf = ({ id }: Pick<CrmEntry, "id">): string => `Rapport reference: ${id}`;

/** Text cut to what the CRM takes, with a word about it. */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const note = "\n\n[The rest is in Rapport.]";
  return `${text.slice(0, most - note.length).toWellFormed()}${note}`;
}
