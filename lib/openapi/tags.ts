import { LARGE_BODY_LIMIT } from "#lib/core/operation.ts";
import type { Json } from "./responses.ts";

/** How deliveries are signed, what they become, and how they are answered. */
const aboutInbound = `Where a provider sends its webhooks. No API key: each delivery is signed, and the signature is verified over the bytes as they came.

- **fathom**: Standard Webhooks (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`) with the signing secret of the workspace's connection, else the server's. The signed time may be at most 5 minutes away, to either side. A recording is a \`meeting_held\` on the timeline of each invitee who is a contact, and its summary a note; no new contact is made.
- **cal_com**: \`X-Cal-Signature-256\`, the HMAC-SHA256 of the body in hex, with the secret this server registered. \`BOOKING_CREATED\` is a \`meeting_scheduled\` of every attendee, who becomes a contact; \`BOOKING_RESCHEDULED\` one at the new time and \`BOOKING_CANCELLED\` a \`meeting_cancelled\`, of contacts only.

A verified delivery is stored before it is answered 200, and processed once: the same \`webhook-id\` (or body) again changes nothing and gets the same answer. What cannot be processed at once answers \`queued\` and is tried again by us. Events that are not used answer \`skipped\`. The body may have up to ${LARGE_BODY_LIMIT / 1024 / 1024} MiB.`;

/** What each group of operations is for, in the order the reference shows them. */
const about: Readonly<Record<string, string>> = {
  Context: "What an agent needs to know before it acts, within a budget of tokens.",
  Accounts: "Everything known about one person or company: claims, evidence, timeline, duplicates, erasure.",
  People: "The people of the workspace: list, read, create and change them.",
  Companies: "The companies of the workspace: list, read, create and change them.",
  Leads: "Lists of people to write to: who was written to, who replied and what they said.",
  Observations: "What was seen or heard, kept as evidence from which claims are derived.",
  Activities: "Signals on the timelines of contacts: e-mails, calls, meetings, visits.",
  Mail: "Conversations by e-mail, as far as the caller may see them.",
  Calendars: "Your calendars, and meetings as far as the caller may see them.",
  Notes: "Documents kept on people and companies, and search over them.",
  "GTM profile": "What the workspace sells, who buys it and how, as facts with their history.",
  Query: "Questions across the evidence of the whole workspace.",
  Changes: "What changed, in the order in which it became visible.",
  Attention: "What someone should look at now.",
  "ICP scoring": "How well people and companies fit, why, and the model that says so.",
  "Bulk actions": "The same change of every record that a list's filters mean, made by a job that can be undone.",
  Exports: "Lists as files, CSV or NDJSON, made by a job and downloaded when they are complete.",
  Stages: "Which activity moves a person to which pipeline stage.",
  "Audit log": "Who did what to the workspace itself, when, and from where.",
  "API keys": "What the key of a request may do.",
  Integrations: "Outside systems the workspace is connected to, and what they delivered.",
  "CRM sync": "What is pushed to a CRM, who is created there, and each run with its result person by person.",
  Imports: "CSV files of people, companies and notes: upload, mapping, dry run, run and undo.",
  Approvals: "Changes of keys and clients that a person must approve: what waits, and what was decided.",
  Workspace: "What is set up in the workspace, and what is missing.",
  "Inbound webhooks": aboutInbound,
  Operation: "Whether the server runs and can serve requests.",
};

/** The tags of the operations, each with its sentence. */
export function tagsOf(paths: Readonly<Record<string, Json>>): Json[] {
  const used = new Set(
    Object.values(paths).flatMap((path) =>
      Object.values(path as Record<string, { tags?: string[] }>).flatMap(({ tags = [] }) => tags),
    ),
  );
  const order = [...Object.keys(about), ...used];
  return [...used]
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
    .map((name) => ({ name, description: about[name] ?? `Operations on ${name.toLowerCase()}.` }));
}
