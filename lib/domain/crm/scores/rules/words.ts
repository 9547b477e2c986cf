import type { Rule, Signal } from "../contract.ts";
import type { FeatureValue } from "./features.ts";
import type { Scored } from "./scorer.ts";

const featureWords: Readonly<Record<string, string>> = {
  job_title: "job title",
  seniority: "seniority",
  department: "department",
  company: "company",
  industry: "industry",
  employee_count: "number of employees",
  country: "country",
  region: "region",
  technologies: "technologies",
};

/** What a feature is called in a sentence. */
const wordsOfFeature = (name: string): string =>
  featureWords[name] ?? name.replace(/^(person|company)\./, "").replaceAll("_", " ");

const MOST = 3;

/** `a, b or c`; of a long list the first few. */
function either(items: readonly string[]): string {
  if (items.length > MOST + 1) return `${items.slice(0, MOST).join(", ")} or ${items.length - MOST} others`;
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
}

const listed = (value: Rule["value"]): string[] => (Array.isArray(value) ? value : [value]).map((item) => shown(item));

const shown = (value: unknown): string =>
  typeof value === "number" ? value.toLocaleString("en") : String(value).replaceAll("_", " ");

/** A rule in plain words: "industry is fintech or banking". */
export function wordsOfRule({ feature, op, value }: Rule): string {
  const what = wordsOfFeature(feature);
  switch (op) {
    case "exists":
      return value === false ? `${what} is not known` : `${what} is known`;
    case "scaled": {
      const [from, to] = value as [number, number];
      return `${what} from ${shown(from)} to ${shown(to)}, the more the better`;
    }
    case "contains_any":
      return `${what} contains ${either(listed(value))}`;
    case "!=":
      return `${what} is not ${either(listed(value))}`;
    case ">=":
      return `${what} is ${shown(value)} or more`;
    case "<=":
      return `${what} is ${shown(value)} or less`;
    case ">":
      return `${what} is more than ${shown(value)}`;
    case "<":
      return `${what} is less than ${shown(value)}`;
    default:
      return `${what} is ${either(listed(value))}`;
  }
}

/** A feature's value as people write it. */
export const wordsOfValue = (value: FeatureValue | null): string =>
  value === null ? "not known" : typeof value === "object" ? value.slice(0, MOST).map(shown).join(", ") : shown(value);

/** Why a score is what it is, in one or two sentences: what spoke for it and against it, the strongest first. */
export function reasonOf(signals: readonly Signal[], { points, disqualified }: Scored): string {
  const given = signals
    .map((signal, index) => ({ signal, points: points[index] ?? 0 }))
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points) || (a.signal.key < b.signal.key ? -1 : 1));
  const names = (entries: typeof given) => entries.slice(0, MOST).map(({ signal }) => clip(signal.label));
  const speaks = names(given.filter((entry) => entry.points > 0));
  const against = names(given.filter((entry) => entry.points < 0 && entry.signal.key !== disqualified));
  const out = signals.find(({ key }) => key === disqualified);
  const sentences = [
    out && `Ruled out: ${clip(out.label)}.`,
    speaks.length > 0 && `For: ${speaks.join(", ")}.`,
    against.length > 0 && `Against: ${against.join(", ")}.`,
  ].filter((sentence): sentence is string => Boolean(sentence));
  return sentences.length > 0 ? sentences.join(" ") : "Nothing that is known speaks for it or against it.";
}

const clip = (label: string): string => (label.length > 60 ? `${label.slice(0, 59)}…` : label);
