import type { CrmContact } from "#lib/providers/crm.ts";

/** What was found about a linked record, with what to do; none when all is well. */
export function findingsOf(
  crm: string,
  person: { recordId: string; emails: readonly string[]; stage: string | null },
  contact: CrmContact | undefined,
): string[] {
  if (!contact) return [`Deleted in ${crm}. Restore it there, or archive the person here.`];
  const findings: string[] = [];
  if (contact.recordId !== person.recordId)
    findings.push(`Merged in ${crm} into record ${contact.recordId}. The link follows; nothing is to do.`);
  if (contact.emails.length === 0) findings.push(`It has no e-mail address in ${crm}. Add ${person.emails[0]} there.`);
  else if (!contact.emails.some((email) => person.emails.includes(email)))
    findings.push(`Its e-mail in ${crm} is ${contact.emails[0]}. Add that address here, or correct it there.`);
  if (person.stage !== null && contact.values.stage !== person.stage)
    findings.push(
      `The stage is ${contact.values.stage ?? "empty"} in ${crm} and ${person.stage} here. A full sync sets it again.`,
    );
  return findings;
}
