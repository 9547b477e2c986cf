import { scoringSections } from "#lib/domain/records/facts/contract.ts";
import type { NextStep, WorkspaceProfile } from "./contract.ts";
import { profileFields } from "./contract.ts";

/** A fact that no one confirmed for this long is stale. */
export const STALE_DAYS = 90;

export type Setup = {
  profile: WorkspaceProfile;
  /** current facts by category, and how many of them are stale */
  facts: readonly { category: string; count: number; stale: number }[];
  peopleKnown: boolean;
  triggers: { count: number; disabled: number };
  /** the ICP scoring model */
  model: { version: number; signals: number } | null;
};

const factsOf = ({ facts }: Setup, category: string): number =>
  facts.find((row) => row.category === category)?.count ?? 0;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

type ProfileField = (typeof profileFields)[number];

const missingProfileFields = ({ profile }: Setup): ProfileField[] =>
  profileFields.filter((field) => profile[field] === null);

/** Fields of the onboarding that are missing. */
export const missingFields = (setup: Setup): string[] =>
  factsOf(setup, "ICP") === 0 ? [...missingProfileFields(setup), "icp"] : missingProfileFields(setup);

/** What a field is about, to someone who never saw the API. */
const fieldWords: Readonly<Record<ProfileField, string>> = {
  name: "the workspace's name",
  website: "your website",
  business_type: "what kind of business you are",
  plan_model: "how customers start with your product",
  default_signup_stage: "the stage of new sign-ups",
};

/** `a, b and c`. */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

export const playbookOf = (setup: Setup) => ({
  done: factsOf(setup, "ICP") > 0 && factsOf(setup, "Product") > 0,
  facts: sum(setup.facts.map(({ count }) => count)),
  icp_facts: factsOf(setup, "ICP"),
  model: setup.model,
  stale_facts: sum(setup.facts.map(({ stale }) => stale)),
});

/** What is worth doing next, the most useful first. Each step can be done now, with what this server offers. */
export function nextSteps(setup: Setup): NextStep[] {
  const missing = missingProfileFields(setup);
  const unwritten = scoringSections.filter((section) => section !== "ICP" && factsOf(setup, section) === 0);
  const { stale_facts, icp_facts } = playbookOf(setup);
  const { disabled } = setup.triggers;
  const steps: (NextStep | false)[] = [
    disabled > 0 && {
      id: "resume_triggers",
      title: disabled === 1 ? "A trigger is disabled" : `${disabled} triggers are disabled`,
      why: "The target failed for days, or asked for nothing more. Events wait.",
      how: "Fix the target, then resume it on the Triggers page, or with POST /v2/workspace/triggers/:id/resume.",
    },
    icp_facts === 0 && {
      id: "write_icp",
      title: "Say who your ideal customer is",
      why: "Agents use it to choose who to write to, and what to say.",
      how: "POST /v2/workspace/onboarding with icp, or write the section ICP in the GTM Context tab.",
    },
    missing.length > 0 && {
      id: "complete_onboarding",
      title: "Complete the workspace's profile",
      why: `Not known yet: ${listed(missing.map((field) => fieldWords[field]))}.`,
      how: `POST /v2/workspace/onboarding with ${missing.join(", ")}.`,
    },
    unwritten.length > 0 && {
      id: "write_playbook",
      title: "Complete the GTM profile",
      why: `Not written yet: ${listed(unwritten)}.`,
      how: "POST /v2/workspace/facts, one short statement a section, or the GTM Context tab.",
    },
    stale_facts > 0 && {
      id: "confirm_facts",
      title: "Confirm what may have changed",
      why: `${stale_facts} ${stale_facts === 1 ? "fact was" : "facts were"} not confirmed for ${STALE_DAYS} days.`,
      how: "Confirm or rewrite them in the GTM Context tab, or write the section again with POST /v2/workspace/facts.",
    },
    setup.model === null &&
      icp_facts > 0 && {
        id: "build_scoring_model",
        title: "Build the ICP scoring model",
        why: "The ICP is written; with a model everyone gets a score of how well they fit, and why.",
        how: "POST /v2/workspace/scoring-model (over MCP build_scoring_model), or Settings › ICP scoring.",
      },
    !setup.peopleKnown && {
      id: "add_people",
      title: "Bring in the first people",
      why: "Context, attention and search have nothing to work with yet.",
      how: "Record what happened with POST /v2/observations: an unknown e-mail becomes a contact. Lists go to POST /v2/people/bulk.",
    },
    setup.peopleKnown &&
      setup.triggers.count === 0 && {
        id: "set_trigger",
        title: "Tell your other tools what happens",
        why: "No other tool is told when a person replies or moves to another stage.",
        how: "POST /v2/workspace/triggers with a url and events such as stage.advanced, or the Triggers page.",
      },
  ];
  return steps.filter((step) => step !== false);
}
