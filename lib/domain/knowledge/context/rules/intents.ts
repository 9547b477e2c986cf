/** What the caller is about to do. */
export const intents = ["draft_email", "follow_up", "meeting_prep", "call_prep", "account_review"] as const;
export type Intent = (typeof intents)[number];

export const sections = [
  "conversation",
  "claims",
  "workspace",
  "timeline",
  "documents",
  "stakeholders",
  "tasks",
] as const;
export type Section = (typeof sections)[number];

/** What a claim is about. */
export type Topic = "insight" | "role" | "employer" | "pipeline" | "firmographic" | "reach" | "identity" | "origin";

/** Properties by topic; anything recorded under a custom name is an insight. */
const topics: Readonly<Record<string, Topic>> = {
  job_title: "role",
  seniority: "role",
  department: "role",
  company: "employer",
  works_at: "employer",
  pipeline_stage: "pipeline",
  icp_score: "pipeline",
  industry: "firmographic",
  employee_count: "firmographic",
  country: "firmographic",
  phone: "reach",
  timezone: "reach",
  language: "reach",
  first_name: "identity",
  last_name: "identity",
  name: "identity",
  source: "origin",
  owner: "origin",
};

export const topicOf = (property: string): Topic => (Object.hasOwn(topics, property) && topics[property]) || "insight";

/** How an intent shapes an answer. Weights go from 0 (irrelevant) to 1 (what it is about). */
export type Shape = {
  /** budget_tokens when the caller names none */
  budget: number;
  /** The order of filling: a section and how many of its best lines. After that comes one line of each in turn. */
  servings: readonly (readonly [Section, number])[];
  topics: Readonly<Record<Topic, number>>;
  /** Categories of the GTM profile, the most useful first; any other comes after them. */
  categories: readonly string[];
  /** Types of documents, likewise. */
  documents: readonly string[];
  /** Types of activity; any other has the weight `other`. A saved note is shown among the documents. */
  activities: Readonly<Record<string, number>> & { other: number };
  /** How many events are given in full, and how many more in brief; the rest is counted by type. */
  full: number;
  brief: number;
};

/** The rules of ranking, one row per intent. */
export const shapes: Readonly<Record<Intent, Shape>> = {
  // Why write, what to say, what they said last.
  draft_email: {
    budget: 1200,
    servings: [
      ["conversation", 1],
      ["claims", 3],
      ["timeline", 2],
      ["tasks", 2],
      ["workspace", 2],
      ["documents", 1],
      ["claims", 3],
      ["timeline", 2],
      ["workspace", 2],
      ["stakeholders", 1],
    ],
    topics: {
      insight: 1,
      role: 0.9,
      employer: 0.6,
      pipeline: 0.6,
      firmographic: 0.5,
      reach: 0.2,
      identity: 0.1,
      origin: 0.05,
    },
    categories: [
      "Positioning",
      "Product",
      "ICP",
      "Pricing",
      "Playbook",
      "GTM Motion",
      "Market",
      "Competitors",
      "Notes",
    ],
    documents: ["research", "meeting_notes", "note", "transcript", "meeting_brief", "pre_meeting"],
    activities: {
      email_received: 1,
      linkedin_message: 1,
      email_bounced: 0.9,
      meeting_held: 0.9,
      email_sent: 0.8,
      call: 0.8,
      meeting_scheduled: 0.7,
      meeting_cancelled: 0.7,
      website_visit: 0.3,
      email_opened: 0.1,
      "note.saved": 0.1,
      other: 0.5,
    },
    full: 3,
    brief: 6,
  },
  // Where the conversation stopped and what was promised.
  follow_up: {
    budget: 1500,
    servings: [
      ["conversation", 1],
      ["timeline", 4],
      ["claims", 2],
      ["tasks", 2],
      ["documents", 2],
      ["claims", 3],
      ["timeline", 4],
      ["workspace", 2],
      ["stakeholders", 1],
    ],
    topics: {
      insight: 1,
      role: 0.6,
      employer: 0.4,
      pipeline: 0.9,
      firmographic: 0.3,
      reach: 0.2,
      identity: 0.1,
      origin: 0.05,
    },
    categories: [
      "Playbook",
      "GTM Motion",
      "Positioning",
      "Pricing",
      "Product",
      "Competitors",
      "ICP",
      "Market",
      "Notes",
    ],
    documents: ["meeting_notes", "transcript", "note", "meeting_brief", "pre_meeting", "research"],
    activities: {
      email_received: 1,
      meeting_held: 1,
      call: 1,
      linkedin_message: 1,
      email_sent: 0.9,
      meeting_cancelled: 0.9,
      meeting_scheduled: 0.8,
      email_bounced: 0.8,
      website_visit: 0.4,
      email_opened: 0.3,
      "note.saved": 0.1,
      other: 0.6,
    },
    full: 5,
    brief: 10,
  },
  // Who will be there, what they care about, what was said before.
  meeting_prep: {
    budget: 1800,
    servings: [
      ["timeline", 2],
      ["claims", 4],
      ["conversation", 1],
      ["tasks", 2],
      ["stakeholders", 3],
      ["documents", 2],
      ["claims", 3],
      ["workspace", 2],
      ["timeline", 3],
      ["documents", 2],
    ],
    topics: {
      insight: 1,
      role: 1,
      employer: 0.6,
      pipeline: 0.7,
      firmographic: 0.8,
      reach: 0.2,
      identity: 0.1,
      origin: 0.05,
    },
    categories: [
      "Product",
      "Positioning",
      "Competitors",
      "Pricing",
      "ICP",
      "Playbook",
      "Market",
      "GTM Motion",
      "Notes",
    ],
    documents: ["pre_meeting", "meeting_brief", "meeting_notes", "transcript", "research", "note"],
    activities: {
      meeting_scheduled: 1,
      meeting_held: 1,
      meeting_cancelled: 0.8,
      call: 0.8,
      email_received: 0.8,
      linkedin_message: 0.7,
      email_sent: 0.5,
      website_visit: 0.4,
      email_bounced: 0.1,
      email_opened: 0.1,
      "note.saved": 0.1,
      other: 0.5,
    },
    full: 4,
    brief: 8,
  },
  // How to reach them, how to open, which objections to expect.
  call_prep: {
    budget: 1800,
    servings: [
      ["claims", 5],
      ["timeline", 3],
      ["conversation", 1],
      ["tasks", 2],
      ["workspace", 3],
      ["documents", 2],
      ["claims", 4],
      ["stakeholders", 2],
      ["timeline", 4],
    ],
    topics: {
      insight: 1,
      role: 0.9,
      employer: 0.6,
      pipeline: 0.7,
      firmographic: 0.6,
      reach: 0.9,
      identity: 0.1,
      origin: 0.05,
    },
    categories: [
      "Pricing",
      "Competitors",
      "Playbook",
      "Product",
      "Positioning",
      "ICP",
      "Market",
      "GTM Motion",
      "Notes",
    ],
    documents: ["meeting_notes", "transcript", "research", "note", "pre_meeting", "meeting_brief"],
    activities: {
      call: 1,
      email_received: 0.9,
      meeting_held: 0.9,
      linkedin_message: 0.8,
      meeting_scheduled: 0.8,
      meeting_cancelled: 0.7,
      email_sent: 0.6,
      website_visit: 0.5,
      email_opened: 0.2,
      email_bounced: 0.1,
      "note.saved": 0.1,
      other: 0.5,
    },
    full: 4,
    brief: 8,
  },
  // The state of everything.
  account_review: {
    budget: 2000,
    servings: [
      ["claims", 5],
      ["timeline", 3],
      ["conversation", 1],
      ["tasks", 2],
      ["stakeholders", 3],
      ["documents", 2],
      ["claims", 5],
      ["timeline", 5],
      ["workspace", 2],
      ["documents", 3],
    ],
    topics: {
      insight: 0.9,
      role: 0.7,
      employer: 0.6,
      pipeline: 1,
      firmographic: 0.8,
      reach: 0.3,
      identity: 0.1,
      origin: 0.2,
    },
    categories: [
      "ICP",
      "Playbook",
      "Market",
      "Pricing",
      "Product",
      "Positioning",
      "Competitors",
      "GTM Motion",
      "Notes",
    ],
    documents: ["meeting_notes", "research", "note", "transcript", "meeting_brief", "pre_meeting"],
    activities: {
      meeting_held: 1,
      meeting_scheduled: 1,
      meeting_cancelled: 0.9,
      email_received: 0.9,
      call: 0.9,
      linkedin_message: 0.8,
      email_sent: 0.5,
      email_bounced: 0.5,
      website_visit: 0.5,
      email_opened: 0.2,
      "note.saved": 0.1,
      other: 0.6,
    },
    full: 4,
    brief: 12,
  },
};
