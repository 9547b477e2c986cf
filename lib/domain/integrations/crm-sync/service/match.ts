import { tellChanged } from "#lib/domain/integrations/connections/service.ts";
import type { Inside } from "#lib/jobs/inside.ts";
import { markMatched } from "../queries/configs.ts";
import { findUnlinked } from "../queries/people.ts";
import { linkRecords } from "../queries/records.ts";
import { findRunToChange, setMatching } from "../queries/runs.ts";
import { adopted, matchOf, valuesOf } from "../rules/contacts.ts";
import type { Work } from "./work.ts";

/** Links the people here to one page of the contacts that the CRM has already, by their addresses. */
export async function matchContacts(inside: Inside, { run, connection, crm }: Work, cursor: string): Promise<void> {
  const { contacts, next } = await crm.listContacts(cursor);
  await inside(async (ctx) => {
    const current = await findRunToChange(ctx.db, run.id);
    if (current?.matching !== cursor || current.state === "cancelled") return; // another run of this job was faster
    const emails = contacts.flatMap((contact) => contact.emails);
    const people = emails.length === 0 ? [] : await findUnlinked(ctx.db, emails, run.provider, run.portal);
    const links = people.flatMap((person) => {
      const contact = matchOf([person.foundBy], contacts);
      if (!contact) return [];
      const pushed = adopted(valuesOf(person, connection.crm.fields), contact, connection.crm.groups);
      return [{ entityId: person.id, recordId: contact.recordId, recordUrl: contact.url, pushed }];
    });
    const linked = await linkRecords(ctx.db, run, links);
    await setMatching(ctx.db, run.id, next, linked.size);
    if (next === null) await markMatched(ctx.db, run.provider, run.portal);
    tellChanged(ctx);
  });
}
