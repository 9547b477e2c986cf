import { z } from "zod";
import { type CrmEntry, type CrmSession, cutTo, referenceOf } from "../crm.ts";
import { ask, Contact, OBJECTS } from "./calls.ts";

/** A note's body may have 65,536 characters; escaping makes it longer. */
const MOST_TEXT = 30_000;
/** How HubSpot calls the link of a note, and of a meeting, to its contact. */
const TO_CONTACT = { notes: 202, meetings: 200 } as const;

const typeOf = ({ kind }: CrmEntry): keyof typeof TO_CONTACT => (kind === "meeting" ? "meetings" : "notes");
const bodyName = (entry: CrmEntry): string => (typeOf(entry) === "meetings" ? "hs_meeting_body" : "hs_note_body");

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\n", "<br>");

/** The body is HTML; its last line is our reference. */
function bodyOf(entry: CrmEntry): string {
  const title = entry.kind === "meeting" ? "" : `<p><strong>${escaped(entry.title)}</strong></p>`;
  const text = entry.text ? `<p>${escaped(cutTo(entry.text, MOST_TEXT))}</p>` : "";
  return `${title}${text}<p>${referenceOf(entry)}</p>`;
}

export async function addEntry(session: CrmSession, recordId: string, entry: CrmEntry): Promise<string> {
  const type = typeOf(entry);
  const end = entry.end ?? new Date(entry.at.getTime() + 30 * 60_000);
  const meeting = {
    hs_meeting_title: entry.title.slice(0, 200),
    hs_meeting_start_time: entry.at.toISOString(),
    hs_meeting_end_time: end.toISOString(),
    hs_meeting_outcome: entry.status === "held" ? "COMPLETED" : "SCHEDULED",
  };
  const body = {
    properties: {
      hs_timestamp: entry.at.toISOString(),
      [bodyName(entry)]: bodyOf(entry),
      ...(type === "meetings" ? meeting : {}),
    },
    associations: [
      {
        to: { id: recordId },
        types: [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId: TO_CONTACT[type] }],
      },
    ],
  };
  const { data } = await ask(session, "write", Contact, { method: "POST", path: `${OBJECTS}/${type}`, body });
  return data.id;
}

const Linked = z.looseObject({
  results: z.array(z.looseObject({ id: z.union([z.string(), z.int()]).transform(String) })),
});
const WithLinks = z.looseObject({ associations: z.record(z.string(), Linked).nullish() });
const Entries = z.looseObject({ results: z.array(Contact) });
const BATCH = 100;

/** Looks among the contact's own entries, which are current at once, unlike the search. */
export async function findEntry(session: CrmSession, recordId: string, entry: CrmEntry): Promise<string | null> {
  const type = typeOf(entry);
  const path = `${OBJECTS}/contacts/${encodeURIComponent(recordId)}`;
  const { data } = await ask(session, "read", WithLinks, { path, query: { associations: type } });
  const ids = [...new Set((data.associations?.[type]?.results ?? []).map(({ id }) => id))];
  for (let begin = 0; begin < ids.length; begin += BATCH) {
    const inputs = ids.slice(begin, begin + BATCH).map((id) => ({ id }));
    const body = { properties: [bodyName(entry)], inputs };
    const batch = await ask(session, "read", Entries, { method: "POST", path: `${OBJECTS}/${type}/batch/read`, body });
    const mine = batch.data.results.find(({ properties }) =>
      String(properties?.[bodyName(entry)] ?? "").includes(referenceOf(entry)),
    );
    if (mine) return mine.id;
  }
  return null;
}
