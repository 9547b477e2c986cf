import type { Rule, Signal } from "#lib/domain/crm/scores/contract.ts";
import { clip } from "#lib/text/clip.ts";
import { type Clause, clausesOf } from "./clauses.ts";
import { plainestOf, type Size, sizesIn, spanOf } from "./sizes.ts";
import { fundingIn, industriesIn, placesIn, technologiesIn } from "./things.ts";
import { rolesIn, unfitTitlesIn } from "./titles.ts";

/** A current fact of the GTM profile. */
export type Section = { name: string; content: string };

export type Reading = { signals: Signal[]; notes: string[] };

type Kind = "industry" | "seniority" | "department" | "size" | "region" | "technologies" | "funding";

/** What was found, by stance. */
type Criteria = {
  industry: Record<Clause["stance"], Set<string>>;
  seniority: Record<Clause["stance"], Set<string>>;
  department: Record<Clause["stance"], Set<string>>;
  region: Record<Clause["stance"], Set<string>>;
  technologies: Record<Clause["stance"], Set<string>>;
  sizes: Record<Clause["stance"], Size[]>;
  funding: Set<string>;
  titles: Set<string>;
  rivals: Set<string>;
};

/** Sections that describe customers; the others only add products that customers use, and teams. */
const WHO: ReadonlySet<string> = new Set(["ICP", "Market"]);

/** How much each kind counts beside the others; together they are brought to what a full match should give. */
const SHARE: Readonly<Record<Kind, number>> = {
  industry: 6,
  seniority: 4,
  department: 4,
  size: 5,
  region: 4,
  technologies: 3,
  funding: 2,
};

/** Points of someone who matches everything: a score of 92. */
const FULL = 20;

/**
 * Reads titles, seniorities, industries, sizes, places, products and exclusions in the sections of a GTM profile, and makes
 * signals of them. Works on words alone; what it does not know it leaves out, and says what it did not find.
 */
export function readSections(sections: readonly Section[]): Reading {
  const criteria = findAll(sections);
  const kinds = (Object.keys(SHARE) as Kind[]).filter((kind) => isFound(criteria, kind));
  const total = kinds.reduce((sum, kind) => sum + SHARE[kind], 0);
  const factor = total === 0 ? 1 : Math.min(1.7, Math.max(0.8, FULL / total));
  const weigh = (kind: Kind, part = 1): number =>
    Math.max(-10, Math.min(10, Math.round(SHARE[kind] * factor * part * 2) / 2));
  const signals = [...wanted(criteria, weigh), ...unwanted(criteria)];
  const missing = (Object.keys(kindWords) as (keyof typeof kindWords)[]).filter((kind) => !kinds.includes(kind));
  const notes =
    signals.length === 0 ? [] : missing.map((kind) => `${kindWords[kind].name} was not found. ${kindWords[kind].hint}`);
  return { signals, notes };
}

const kindWords = {
  industry: { name: "An industry", hint: "Name industries in the ICP, such as fintech or manufacturing." },
  seniority: { name: "A title", hint: "Name titles in the ICP, such as VP of Sales or CFO." },
  size: { name: "A company size", hint: "Write it with the word employees, such as 50 to 500 employees." },
  region: { name: "A country or region", hint: "Name where customers are, such as Germany or the EU." },
} as const;

function findAll(sections: readonly Section[]): Criteria {
  const byStance = () => ({ for: new Set<string>(), less: new Set<string>(), never: new Set<string>() });
  const criteria: Criteria = {
    industry: byStance(),
    seniority: byStance(),
    department: byStance(),
    region: byStance(),
    technologies: byStance(),
    sizes: { for: [], less: [], never: [] },
    funding: new Set(),
    titles: new Set(),
    rivals: new Set(),
  };
  for (const { name, content } of sections)
    for (const clause of clausesOf(content)) {
      if (name === "Competitors") for (const rival of technologiesIn(clause.text)) criteria.rivals.add(rival);
      else if (WHO.has(name)) findWho(criteria, clause);
      else findBeside(criteria, name, clause);
    }
  // A thing that is excluded anywhere is not wanted elsewhere.
  for (const kind of ["industry", "seniority", "department", "region", "technologies"] as const)
    for (const stance of ["never", "less"] as const)
      for (const item of criteria[kind][stance]) criteria[kind].for.delete(item);
  return criteria;
}

function findWho(criteria: Criteria, { text, stance }: Clause): void {
  const roles = rolesIn(text);
  add(criteria.industry[stance], industriesIn(text));
  add(criteria.seniority[stance], roles.seniorities);
  add(criteria.department[stance], roles.departments);
  add(criteria.region[stance], placesIn(text));
  add(criteria.technologies[stance], technologiesIn(text));
  criteria.sizes[stance].push(...sizesIn(text, { inWords: true }));
  if (stance === "for") add(criteria.funding, fundingIn(text));
  else add(criteria.titles, unfitTitlesIn(text));
}

/** Product, Pricing and Positioning: products that it works with, teams it is for, and sizes in numbers. */
function findBeside(criteria: Criteria, section: string, { text, stance }: Clause): void {
  if (section === "Product") add(criteria.technologies[stance], technologiesIn(text));
  if (section === "Pricing")
    criteria.sizes[stance].push(...(stance === "for" ? [] : sizesIn(text, { inWords: false })));
  if (section !== "Pricing" && stance === "for" && /\b(?:for|helps?|built|made)\b/iu.test(text))
    add(criteria.department.for, rolesIn(text).departments);
}

const add = (to: Set<string>, items: readonly string[]): void => {
  for (const item of items) to.add(item);
};

function isFound(criteria: Criteria, kind: Kind): boolean {
  if (kind === "size") return criteria.sizes.for.length > 0;
  if (kind === "funding") return criteria.funding.size > 0;
  return criteria[kind].for.size > 0;
}

type Weigh = (kind: Kind, part?: number) => number;

/** Signals with a positive weight, and for each kind a negative one for a value that is known and does not match. */
function wanted(criteria: Criteria, weigh: Weigh): Signal[] {
  const signals: Signal[] = [];
  for (const [kind, label] of [
    ["industry", "Industry"],
    ["seniority", "Seniority"],
    ["department", "Department"],
    ["region", "Located in"],
  ] as const) {
    const value = [...criteria[kind].for];
    if (value.length === 0) continue;
    const words = listed(value);
    signals.push(signal(`${kind}_fit`, `${label}: ${words}`, weigh(kind), { feature: kind, op: "in", value }));
    const other = kind === "region" ? `Located outside ${words}` : `Not in ${words}`;
    signals.push(signal(`${kind}_other`, other, -weigh(kind, 0.7), { feature: kind, op: "!=", value }));
  }
  const size = spanOf(plainestOf(criteria.sizes.for));
  if (size) signals.push(...sizeSignals(size, weigh));
  const used = [...criteria.technologies.for];
  if (used.length > 0)
    signals.push(
      signal("technologies_fit", `Uses ${listed(used)}`, weigh("technologies"), {
        feature: "technologies",
        op: "in",
        value: used,
      }),
    );
  const rivals = [...criteria.rivals].filter((name) => !criteria.technologies.for.has(name));
  if (rivals.length > 0)
    signals.push(
      signal("rival_in_use", `Uses a competitor: ${listed(rivals)}`, 2, {
        feature: "technologies",
        op: "in",
        value: rivals,
      }),
    );
  const funding = [...criteria.funding];
  if (funding.length > 0)
    signals.push(
      signal("funding_fit", `Funding: ${listed(funding)}`, weigh("funding"), {
        feature: "company.funding_stage",
        op: "contains_any",
        value: funding,
      }),
    );
  return signals;
}

/** One signal for a size that fits, and one against each side of it. */
function sizeSignals({ from, to }: Size, weigh: Weigh): Signal[] {
  const rule = (op: Rule["op"], value: Rule["value"]): Rule => ({ feature: "employee_count", op, value });
  const count = (number: number) => number.toLocaleString("en");
  const full = weigh("size");
  const against = weigh("size", 0.7);
  if (from !== null && to !== null)
    return [
      signal("size_fit", `${count(from)} to ${count(to)} employees`, full, rule("between", [from, to])),
      signal("size_above", `More than ${count(to)} employees`, -against, rule(">", to)),
      signal("size_below", `Fewer than ${count(from)} employees`, -against, rule("<", from)),
    ];
  if (from !== null)
    return [
      signal("size_fit", `${count(from)} employees or more`, full, rule(">=", from)),
      signal("size_below", `Fewer than ${count(from)} employees`, -against, rule("<", from)),
    ];
  if (to !== null)
    return [
      signal("size_fit", `${count(to)} employees or fewer`, full, rule("<=", to)),
      signal("size_above", `More than ${count(to)} employees`, -against, rule(">", to)),
    ];
  return [];
}

const LESS = -6;
const NEVER = -10;

/** What speaks against someone, and what rules them out. */
function unwanted(criteria: Criteria): Signal[] {
  const signals: Signal[] = [];
  for (const stance of ["never", "less"] as const) {
    const prefix = stance === "never" ? "not" : "less";
    const weight = stance === "never" ? NEVER : LESS;
    const ruling = stance === "never" ? { disqualify: true } : {};
    for (const [kind, label] of [
      ["industry", "Industry"],
      ["region", "Located in"],
    ] as const) {
      const value = [...criteria[kind][stance]];
      if (value.length > 0)
        signals.push(
          signal(`${prefix}_${kind}`, `${label}: ${listed(value)}`, weight, {
            feature: kind,
            op: "in",
            value,
            ...ruling,
          }),
        );
    }
    // A title or a product that they do not sell to is a reason against, and rarely one that rules a company out.
    for (const [kind, label] of [
      ["seniority", "Seniority"],
      ["technologies", "Uses"],
    ] as const) {
      const value = [...criteria[kind][stance]];
      if (value.length > 0)
        signals.push(
          signal(`${prefix}_${kind}`, `${label}: ${listed(value)}`, LESS, { feature: kind, op: "in", value }),
        );
    }
    for (const [place, size] of criteria.sizes[stance].entries()) {
      const suffix = place === 0 ? "" : `_${place + 1}`;
      if (size.to !== null && !size.from)
        signals.push(
          signal(`${prefix}_small${suffix}`, `Fewer than ${size.to.toLocaleString("en")} employees`, weight, {
            ...{ feature: "employee_count", op: "<", value: size.to, ...ruling },
          }),
        );
      else if (size.from !== null)
        signals.push(
          signal(`${prefix}_large${suffix}`, `${size.from.toLocaleString("en")} employees or more`, weight, {
            ...{ feature: "employee_count", op: ">=", value: size.from, ...ruling },
          }),
        );
    }
  }
  if (criteria.titles.size > 0)
    signals.push(
      signal("not_title", `Title: ${listed([...criteria.titles])}`, NEVER, {
        ...{ feature: "job_title", op: "contains_any", value: [...criteria.titles], disqualify: true },
      }),
    );
  return signals;
}

const signal = (key: string, label: string, weight: number, rule: Rule): Signal => ({
  key,
  label: clip(label, 120),
  weight,
  rule,
});

const MOST = 4;

/** Names that are no words. */
const shortWords: Readonly<Record<string, string>> = { c_level: "C-level", vp: "VP", hr: "HR", it: "IT" };

/** `a, b or c`; of a long list the first few. */
function listed(items: readonly string[]): string {
  const words = items.map((item) => shortWords[item] ?? item.replaceAll("_", " "));
  if (words.length > MOST + 1) return `${words.slice(0, MOST).join(", ")} or ${words.length - MOST} others`;
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
