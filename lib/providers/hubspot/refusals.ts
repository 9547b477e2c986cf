import { z } from "zod";

/** A rule that a value breaks, or a property that a rule requires. */
const Rule = z.looseObject({ name: z.string(), message: z.string().nullish(), error: z.string().nullish() });

/** A list of rules stands as JSON in the sentence. */
function rulesIn(message: string): z.output<typeof Rule>[] {
  const [json] = /\[\s*\{.*\}\s*\]/s.exec(message) ?? [];
  if (json === undefined) return [];
  try {
    return z.array(Rule).parse(JSON.parse(json));
  } catch {
    return []; // a sentence with brackets
  }
}

const isAboutProperties = (key: string): boolean => /propert/i.test(key);

type Part = { message?: string | null; context?: Readonly<Record<string, string[]>> | null };
/** A problem as `calls.ts` reads it. */
type Problem = Part & { errors?: readonly Part[] | null };

/**
 * Why HubSpot refused a record, for its reader: each rule of the portal's administrators with the property that it is about. Null when
 * HubSpot does not say.
 */
export function refusalWords({ message, context, errors }: Problem): string | null {
  const parts = [{ message, context }, ...(errors ?? [])].flatMap((part) => sentenceOf(part) ?? []);
  const precise = parts.filter(({ names }) => names.length > 0);
  return (precise.length > 0 ? precise : parts.slice(0, 1)).map(({ text }) => text).join("; ") || null;
}

function sentenceOf({ message, context }: Part): { names: string[]; text: string } | null {
  if (!message) return null;
  const rules = rulesIn(message);
  if (rules.length > 0)
    return {
      names: rules.map(({ name }) => name),
      text: rules.map(({ name, message: why, error }) => `${name}: ${why || error || "not accepted"}`).join("; "),
    };
  const named = Object.entries(context ?? {}).flatMap(([key, values]) => (isAboutProperties(key) ? values : []));
  const names = [...new Set(named.map((name) => name.replace(/^\[(.*)\]$/, "$1")))];
  const unsaid = names.filter((name) => !message.includes(name));
  return { names, text: unsaid.length > 0 ? `${message.replace(/\.$/, "")} (${unsaid.join(", ")})` : message };
}
