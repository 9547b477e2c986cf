/** What each count of a workspace means, what changes when someone deals with it, and where the list is. */
import type { Total } from "#lib/core/page-input.ts";
import { ENDS_WITHIN_DAYS } from "#lib/domain/integrations/connections/words.ts";
import { worthRevisiting } from "#lib/domain/records/facts/words.ts";
import { formatMinute, formatTime } from "#lib/text/time.ts";
import type { Check, CheckState } from "./contract.ts";

type Item = Check["items"][number];
/** `countedAt` is null where nothing was counted yet. */
type Count = { count: number; capped?: boolean; items?: readonly Item[]; countedAt: Date | null };

/** What a check is about, in words: `none` when there is nothing, else the number before `one` or `many`. */
type Words = {
  about: Check["about"];
  none: string;
  one: string;
  many: string;
  advice: string;
  request: string | null;
  page: string | null;
};

const MOST_ITEMS = 10;

/** The filters of the list for people who cannot be reached, and the same in an address. */
export const unreachable = { has_email: false, has_linkedin: false, properties: { phone: "exists:false" } } as const;
const UNREACHABLE = `has_email=${unreachable.has_email}&has_linkedin=${unreachable.has_linkedin}&property.phone=${unreachable.properties.phone}`;

const words = {
  triggers: {
    about: "operation",
    none: "Every trigger delivers.",
    one: "trigger was stopped because its target failed.",
    many: "triggers were stopped because their targets failed.",
    advice: "Fix the target, then resume the trigger: the events that waited are delivered.",
    request: "GET /v2/workspace/triggers",
    page: "triggers",
  },
  integrations: {
    about: "operation",
    none: "Every connected integration works.",
    one: "integration needs attention.",
    many: "integrations need attention.",
    advice:
      "Its card says what is wrong; a new token fixes most problems. What was missed is fetched where the provider keeps it.",
    request: "GET /v2/workspace/integrations",
    page: "integrations",
  },
  keys: {
    about: "operation",
    none: `No API key ends within ${ENDS_WITHIN_DAYS} days.`,
    one: `API key ends within ${ENDS_WITHIN_DAYS} days.`,
    many: `API keys end within ${ENDS_WITHIN_DAYS} days.`,
    advice: "Rotate it before it ends: the old key works on for the overlap you choose.",
    request: null,
    page: "api-keys",
  },
  tokens: {
    about: "operation",
    none: `No token of an integration ends within ${ENDS_WITHIN_DAYS} days, as far as providers say.`,
    one: `token of an integration ends within ${ENDS_WITHIN_DAYS} days.`,
    many: `tokens of integrations end within ${ENDS_WITHIN_DAYS} days.`,
    advice: "Make a new token at the provider and connect again with it: nothing is lost.",
    request: "GET /v2/workspace/integrations",
    page: "integrations",
  },
  clients: {
    about: "operation",
    none: `No connected client has to be approved again within ${ENDS_WITHIN_DAYS} days.`,
    one: `connected client has to be approved again within ${ENDS_WITHIN_DAYS} days.`,
    many: `connected clients have to be approved again within ${ENDS_WITHIN_DAYS} days.`,
    advice: "A connection lasts a year. Sign in again in the client, and approve it.",
    request: null,
    page: "settings/connected-clients",
  },
  mailboxes: {
    about: "operation",
    none: "Every mailbox that a member connected is read.",
    one: "mailbox of a member is not read.",
    many: "mailboxes of members are not read.",
    advice:
      "Only its member sees which one, and why, on Integrations › Mail. A new password fixes most problems, and no mail is missed.",
    request: null,
    page: "integrations",
  },
  jobs: {
    about: "operation",
    none: "No job was given up.",
    one: "job was given up.",
    many: "jobs were given up.",
    advice: "Settings › Jobs says why, and runs it again.",
    request: null,
    page: "settings/jobs",
  },
  silent_sources: {
    about: "data",
    none: "Every source that used to report still does.",
    one: "source that reported regularly has gone silent.",
    many: "sources that reported regularly have gone silent.",
    advice: "Check what sends it: its key, its automation, its webhook. Until then timelines miss what happens.",
    request: null,
    page: "activity",
  },
  unmatched_activities: {
    about: "data",
    none: "Every meeting and recording of the last 30 days found a contact.",
    one: "meeting or recording of the last 30 days found no contact.",
    many: "meetings and recordings of the last 30 days found no contact.",
    advice:
      "Add the person, then replay the delivery: it appears on their timeline. Meetings with no one you sell to can stay.",
    request: "GET /v2/workspace/inbound-deliveries?without_contact=true",
    page: "integrations/deliveries?without_contact=true",
  },
  duplicates: {
    about: "data",
    none: "No likely duplicate waits.",
    one: "likely duplicate waits.",
    many: "likely duplicates wait.",
    advice:
      "Open one and compare. Merged, the whole history is in one place, and no one is written to twice. A merge can be undone.",
    request: "GET /v2/accounts/duplicates",
    page: null,
  },
  unreachable_people: {
    about: "data",
    none: "Everyone can be reached.",
    one: "person has no e-mail address, LinkedIn URL or phone number.",
    many: "people have no e-mail address, LinkedIn URL or phone number.",
    advice: "With an address, replies and meetings find them; without one, archive who is of no use.",
    request: `GET /v2/people?${UNREACHABLE}`,
    page: `people?${UNREACHABLE}`,
  },
  aged_facts: {
    about: "data",
    none: "What is known of people in a deal was confirmed in the last 90 days.",
    one: "fact about people in a deal was not confirmed for 90 days.",
    many: "facts about people in a deal were not confirmed for 90 days.",
    advice: "Confirm or correct them: agents repeat them to the person.",
    request: "GET /v2/attention?kinds=decayed_fact",
    page: "home",
  },
  single_source_facts: {
    about: "data",
    none: "What is known of people in a deal comes from a person, or from two sources.",
    one: "fact about people in a deal rests on one source.",
    many: "facts about people in a deal rest on one source.",
    advice: "A second source or your confirmation raises the confidence. POST /v2/verify shows the evidence.",
    request: null,
    page: null,
  },
  profile_sections: {
    about: "data",
    none: "Every written section of the GTM profile is current.",
    one: "section of the GTM profile is old or was inferred.",
    many: "sections of the GTM profile are old or were inferred.",
    advice: "Confirm or rewrite it: agents and the ICP score use it.",
    request: "GET /v2/workspace/facts",
    page: "gtm-context",
  },
} as const satisfies Record<Check["id"], Words>;

/** Where few are no reason to do anything: how many there must be. */
const enough: Partial<Record<Check["id"], number>> = { unmatched_activities: 5, aged_facts: 10 };

const stops: readonly Check["id"][] = ["triggers", "integrations"];

function stateOf(id: Check["id"], count: number): CheckState {
  if (id === "single_source_facts" || count < (enough[id] ?? 1)) return "fine";
  return stops.includes(id) ? "failing" : "warning";
}

/** What the maintenance counts, by its name: it reads everyone. */
const counted: Partial<Record<Check["id"], string>> = {
  silent_sources: "Sources that went silent",
  duplicates: "Likely duplicates",
};

const notYet = (id: Check["id"]): string => `${counted[id]} are not counted yet: this is done once an hour.`;

/** A check with what was counted. `state`: where the count alone does not say. */
export function checkOf(
  id: Check["id"],
  { count, capped = false, items = [], countedAt }: Count,
  state?: CheckState,
): Check {
  const { about, none, one, many, advice, request, page } = words[id];
  const number = `${count.toLocaleString("en")}${capped ? " or more" : ""}`;
  return {
    id,
    about,
    state: state ?? stateOf(id, count),
    count,
    capped,
    counted_at: countedAt && formatTime(countedAt),
    says: countedAt === null ? notYet(id) : count === 0 ? none : `${number} ${count === 1 && !capped ? one : many}`,
    advice: count === 0 ? null : advice,
    request,
    page,
    items: items.slice(0, MOST_ITEMS),
  };
}

/** People who cannot be reached are worth a look when they are one in twenty. */
export const stateOfUnreachable = ({ count }: Total, { count: people }: Total): CheckState =>
  count > 0 && count * 20 >= people ? "warning" : "fine";

export const silentItem = ({ source, lastAt }: { source: string; lastAt: string }): Item => ({
  text: `${source}, last on ${formatMinute(new Date(lastAt))}`,
  entity_id: null,
});

const reasons = {
  same_phone: "same phone number",
  same_name_and_company: "same name and company",
  same_name_and_written_company: "same name, and a company that reads the same",
  same_company_name: "same company name",
} as const;

export const likelyItem = (name: string, reason: keyof typeof reasons, entityId: string): Item => ({
  text: `${name}: ${reasons[reason]}`,
  entity_id: entityId,
});

export const claimItem = ({
  entityId,
  name,
  property,
}: {
  entityId: string;
  name: string;
  property: string;
}): Item => ({
  text: `${name}: ${property.replaceAll(/[_.]/g, " ")}`,
  entity_id: entityId,
});

type Fact = Parameters<typeof worthRevisiting>[0] & { category: string };

/** The sections with something to revisit, each with why. */
export function sectionsToRevisit(facts: readonly Fact[]): Item[] {
  const reasonBySection = new Map<string, string>();
  for (const fact of facts) {
    const why = worthRevisiting(fact);
    if (why && reasonBySection.get(fact.category) !== "not confirmed for 90 days")
      reasonBySection.set(fact.category, why === "old" ? "not confirmed for 90 days" : "inferred by a machine");
  }
  return [...reasonBySection].map(([section, why]) => ({ text: `${section}: ${why}`, entity_id: null }));
}
