import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { type Intent, intents } from "#lib/domain/knowledge/context/contract.ts";
import { getContext } from "#lib/domain/knowledge/context/service.ts";
import { line } from "#lib/text/marks.ts";
import { contextText } from "./text/context.ts";

type Words = { title: string; description: string; task: string };

const words: Readonly<Record<Intent, Words>> = {
  draft_email: {
    title: "Draft an e-mail",
    description: "A first e-mail to a person, from what is known about them and how you sell.",
    task: "Draft an e-mail to this person. Open with something specific to them, make one point from our positioning, and end with one clear ask. At most 120 words.",
  },
  follow_up: {
    title: "Follow up",
    description: "The next message to someone you have been in touch with.",
    task: "Write the next message to this person. Refer to what was last said or done, answer what is open, and propose one next step with a date.",
  },
  meeting_prep: {
    title: "Prepare a meeting",
    description: "A one-page brief before you meet.",
    task: "Prepare me for a meeting with them. Give: who they are and who else matters, what they want, what happened so far, what may stop the deal, five questions to ask, and the outcome to aim for.",
  },
  call_prep: {
    title: "Prepare a call",
    description: "What to know in the minute before you call.",
    task: "Prepare me for a call. Give in short lines: who they are, the last three things that happened, the reason to call now, an opening sentence, and two likely objections with answers.",
  },
  account_review: {
    title: "Review an account",
    description: "Where an account stands and what to do next.",
    task: "Review this account. Say where it stands and why, what changed lately, what is contradictory or out of date, the risks, and the next three actions in order.",
  },
};

const focusArgument = {
  name: "focus",
  description: "E-mail, domain, LinkedIn URL, name or entity id.",
  required: true,
};
const goalArgument = { name: "goal", description: "What you want to reach, in your words.", required: false };

export const prompts = intents.map((name) => ({
  name,
  title: words[name].title,
  description: words[name].description,
  arguments: [focusArgument, goalArgument],
}));

const isIntent = (name: string): name is Intent => (intents as readonly string[]).includes(name);

/** The message of a prompt: the task, and the context it needs. Throws a `Fault`. */
export async function promptOf(caller: Caller, name: string, input: Readonly<Record<string, string>>): Promise<string> {
  if (!isIntent(name))
    throw new Fault("invalid_parameter", { parameter: "name", allowed: intents }, `There is no prompt called ${name}.`);
  const { focus = "", goal = "" } = input;
  const context = contextText(await getContext.execute(caller, { focus, intent: name }));
  const aim = goal.trim() === "" ? [] : [`The goal: ${line(goal)}`];
  return [words[name].task, ...aim, "What we know:", context].join("\n\n");
}
