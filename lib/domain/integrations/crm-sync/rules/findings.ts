import type { CrmContact } from "#lib/providers/crm.ts";

/** What was found about a linked record, with what to do; none when all is well. */
export function findingsOf(
  crm: string,
  known: { recordId: string; emails: readonly string[]; stage: string | null },
  contact: CrmContact | undefined,
): string[] {
  if (!contact) return [`Deleted in ${crm}. Restore it there, or archive the person here.`];
  const found: string[] = [];
  if (contact.recordId !== known.recordId)
    found.push(`Merged in ${crm} into record ${contact.recordId}. The link follows; nothing is to do.`);
  if (contact.emails.length === 0) found.push(`It has no e-mail address in ${crm}. Add ${known.emails[0]} there.`);
  else if (!contact.emails.some((email) => known.emails.includes(email)))
    found.push(`Its e-mail in ${crm} is ${contact.emails[0]}. Add that address here, or correct it there.`);
  if (known.stage !== null && contact.values.stage !== known.stage)
    found.push(
      `The stage is ${contact.values.stage ?? "empty"} in ${crm} and ${known.stage} here. A full sync sets it again.`,
    );
  return found;
}
