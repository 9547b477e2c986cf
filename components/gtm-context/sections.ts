import type { Section } from "#lib/domain/records/facts/contract.ts";

export type Guide = {
  /** What the section is for, in one line. */
  purpose: string;
  /** The question to the person who writes it. */
  prompt: string;
  /** A statement worth reading, for the example of what an agent could send. */
  example: string;
  /** True when the ICP score uses it. */
  scores: boolean;
};

/** The sections in the order of the tab. `profile.test.ts` checks that they are those of the contract. */
const guides: Readonly<Record<Section, Guide>> = {
  ICP: {
    purpose: "Who buys: the kind of company, its size, where it is, and what makes it a bad fit.",
    prompt: "Which companies buy from you, and which never will? Industry, size, region, the sign that they are ready.",
    example: "Series A and B fintechs in the EU, 20 to 200 people, selling to banks. Not: consultancies.",
    scores: true,
  },
  Market: {
    purpose: "Where you sell: the segment, its size, and what is moving in it.",
    prompt: "What market are you in, how big is the part you can win, and what is changing in it?",
    example: "Compliance software for EU payment institutions: about 1,100 licensed firms, PSD3 due in 2027.",
    scores: true,
  },
  Product: {
    purpose: "What you sell and the outcome it gives, in words a buyer would use.",
    prompt: "What does it do, who is it for, and what is different a month after they start?",
    example: "Transaction monitoring that a compliance team sets up without engineers, live in two weeks.",
    scores: true,
  },
  Pricing: {
    purpose: "What it costs, how it is packaged, and what a typical deal is worth.",
    prompt: "Plans, prices, terms. What does a typical first deal come to, and who signs it?",
    example: "From €1,500 a month by volume, yearly contract, paid pilot of €3,000. Typical first year: €24,000.",
    scores: true,
  },
  Competitors: {
    purpose: "Who else the buyer looks at, and when you win or lose against them.",
    prompt: "Who else is in the deal? Why do you win, and when do you lose?",
    example: "ComplyAdvantage: wins on brand in enterprises, loses on set-up time. In-house rules: the usual rival.",
    scores: true,
  },
  Positioning: {
    purpose: "How you want to be described: the category, the claim and the proof.",
    prompt: "Who is it for, what is the alternative, and what can only you say?",
    example:
      "The monitoring tool compliance officers run themselves. Proof: 40 institutions, no false-negative finding.",
    scores: true,
  },
  "GTM Motion": {
    purpose: "How a deal happens: channels, steps, who is involved, how long it takes.",
    prompt: "How do buyers find you, what happens from the first call to the signature, and how long does it take?",
    example: "Founder-led outbound to heads of compliance, 30-minute demo, paid pilot, then CFO sign-off. 45 days.",
    scores: false,
  },
  Notes: {
    purpose: "Anything else an agent should know before it writes or calls.",
    prompt: "What should every agent know that fits nowhere else?",
    example: "Never mention the Series B in outreach before it is announced.",
    scores: false,
  },
};

export const sectionNames = Object.keys(guides) as Section[];
export const scoringSectionNames = sectionNames.filter((name) => guides[name].scores);

export const guideOf = (category: string): Guide | undefined =>
  Object.hasOwn(guides, category) ? guides[category as Section] : undefined;
