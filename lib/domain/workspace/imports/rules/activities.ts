import { checkJson } from "#lib/core/json.ts";
import { activityMeant, propertyOfActivity } from "#lib/domain/records/evidence/contract.ts";
import { propertyName } from "../words.ts";

/** Words of other tools that no call of the API has as an alias. */
const words: Readonly<Record<string, string>> = {
  meeting: "meeting_held",
  linkedin: "linkedin_message",
  email_clicked: "email_opened",
  visit: "website_visit",
};

type Activity = { type: string; property: string; metadata: Record<string, unknown> };

/** The activity that a word means. Any other is a `custom` one of that name, as `metadata.event` says. */
export function activityNamed(text: string): Activity {
  const name = propertyName(text.replace(/^interaction\./i, "").replace(/\be-mail\b/gi, "email")) ?? "";
  const type = activityMeant(name) ?? activityMeant(words[name] ?? "");
  if (type !== null) return { type, property: propertyOfActivity(type), metadata: {} };
  return { type: "custom", property: propertyOfActivity("custom"), metadata: { event: name || text } };
}

/** The property that Rapport's own file has; null for what is none. */
export const eventProperty = (text: string | null): string | null =>
  text !== null && /^[a-z][a-z0-9_]*(\.[a-z0-9_-]+)*$/i.test(text) ? text : null;

/** An activity's value, as a capture has it. */
export const valueOfActivity = (description: string | null, metadata: Readonly<Record<string, unknown>>): unknown => ({
  ...(description === null ? {} : { description }),
  ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
});

/** A value as a cell of an export has it: an object as JSON, anything else as text. */
export function jsonIn(text: string): unknown {
  if (!text.startsWith("{")) return text;
  try {
    const value: unknown = JSON.parse(text);
    checkJson(value);
    return value;
  } catch {
    return text;
  }
}
