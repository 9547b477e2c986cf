import type { ActivityType } from "#lib/domain/records/evidence/contract.ts";
import { DAY_MS } from "#lib/text/time.ts";

/** The sample is generated from this seed: loading it twice gives the same people. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const companyNames =
  "Brightloom,Northpier,Calderstone,Fernhollow,Quayside,Larkfield,Ironvale,Mossgate,Silverbeck,Tideworks,Hazelbrook,Copperline,Windmere,Stonebridge,Oakhaven,Riverton,Ashgrove,Bluecrest,Deepwell,Eastmoor,Foxglove,Greymarch,Highfield,Juniper,Kestrel,Lindenhof,Meridian,Nightjar,Orchard,Pinegrove,Quarry,Redfern,Saltmarsh,Thornbury,Umber,Valebrook,Westerly,Yarrow,Zephyr,Amberley".split(
    ",",
  );
const firstNames =
  "Anna,Ben,Carla,David,Elena,Farid,Greta,Hannah,Ivan,Julia,Kofi,Lena,Marco,Nadia,Oscar,Priya,Quentin,Rosa,Samir,Tara,Uwe,Vera,Wei,Ximena,Yusuf,Zoe,Aiko,Bruno,Clara,Diego".split(
    ",",
  );
const lastNames =
  "Adler,Becker,Costa,Dumont,Eriksen,Fischer,Garcia,Hansen,Ito,Jansen,Kovacs,Lindqvist,Moreau,Novak,Okafor,Petrov,Quinn,Rossi,Schmidt,Tanaka,Ueda,Vargas,Weber,Xu,Young,Zimmer".split(
    ",",
  );
const titles = [
  "Head of Sales",
  "VP Marketing",
  "Founder",
  "Account Executive",
  "RevOps Manager",
  "CFO",
  "Head of Growth",
  "CTO",
  "Operations Lead",
  "Customer Success Lead",
];
const industries = ["Fintech", "Logistics", "Insurance", "Healthcare", "Manufacturing", "SaaS", "Retail"];
const countries = ["DE", "FR", "NL", "GB", "ES", "SE", "US"];
const stages = [
  "identified",
  "identified",
  "identified",
  "aware",
  "aware",
  "interested",
  "interested",
  "evaluating",
  "client",
] as const;

export type SampleCompany = { name: string; domain: string; industry: string; employees: number; country: string };
type SampleActivity = { type: ActivityType; description: string; at: Date };
type SampleNote = { type: "meeting_notes" | "research" | "note"; title: string; content: string; at: Date };
export type SamplePerson = {
  /** When their name (and again with the title), title and stage were learned, so that the sample has a past. */
  learned: { name: Date; title: Date; stage: Date };
  email: string;
  firstName: string;
  lastName: string;
  title: string;
  stage: (typeof stages)[number];
  activities: SampleActivity[];
  /** Booked, in the days after now. */
  meeting: Date | null;
  /** A title that someone else reports, and that disagrees. */
  disputed: { title: string; at: Date } | null;
  notes: SampleNote[];
};

/** What may have happened with someone of each stage: nothing that would have moved them further. */
const happenings = (() => {
  const identified = [
    ["email_sent", "Sent: a short introduction"],
    ["call", "Called, left a message"],
  ] as const;
  const aware = [
    ...identified,
    ["email_opened", "Opened the introduction"],
    ["website_visit", "Visited the pricing page"],
  ] as const;
  const interested = [
    ...aware,
    ["email_received", "Replied: asks about pricing"],
    ["linkedin_message", "Message on LinkedIn"],
  ] as const;
  const evaluating = [...interested, ["meeting_held", "Meeting: discovery"]] as const;
  return { identified, aware, interested, evaluating, client: evaluating };
})();

const remarks = [
  "They compare us with a spreadsheet and with doing nothing. The spreadsheet takes two people a day a week.",
  "Budget is decided in March. Procurement wants a security questionnaire first; send ours before they ask.",
  "Worried about moving their data. A pilot with one team for four weeks would convince the board.",
  "Asked twice about the price per seat and whether unused seats can be given back.",
  "Their current tool is renewed in September, so a decision has to be made by the end of July.",
  "Very happy with the demo. Wants to see how reporting works with several regions.",
  "Not the decision maker; introduced us to the head of operations, who joins the next call.",
];

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** 40 companies. */
export function sampleCompanies(): SampleCompany[] {
  const random = randomFrom(40);
  return companyNames.map((name) => ({
    name,
    domain: `${name.toLowerCase()}-sample.com`,
    industry: pick(random, industries),
    employees: Math.round(10 ** (1 + random() * 2.5)),
    country: pick(random, countries),
  }));
}

const MEETINGS = 2;
const DISPUTES = 3;

function atTenOClock(now: Date, days: number): Date {
  const time = new Date(now.getTime() + days * DAY_MS);
  time.setUTCHours(10, 0, 0, 0);
  return time;
}

/** 200 people, five per company, with what happened in the year before `now`. */
export function samplePeople(now: Date): SamplePerson[] {
  const random = randomFrom(200);
  const companies = sampleCompanies();
  let [booked, disputes] = [0, 0];
  return Array.from({ length: 200 }, (_, index) => {
    const company = companies[index % companies.length] as SampleCompany;
    const [firstName, lastName] = [pick(random, firstNames), pick(random, lastNames)];
    const stage = pick(random, stages);
    const ago = (days: number) => new Date(now.getTime() - Math.round(days * DAY_MS));
    /** Like `ago`, in working hours. */
    const workday = (days: number) => {
      const time = ago(days);
      if (days > 1) time.setUTCHours(8 + Math.floor(random() * 10));
      return time;
    };
    const activities = Array.from({ length: Math.floor(random() * 12) }, () => {
      const [type, description] = pick<readonly [ActivityType, string]>(random, happenings[stage]);
      return { type, description, at: workday(random() ** 2 * 365 + 0.05) };
    }).sort((a, b) => a.at.getTime() - b.at.getTime());
    const notes =
      index % 4 === 0
        ? [
            {
              type: pick(random, ["meeting_notes", "research", "note"] as const),
              title: `${company.name}: ${pick(random, ["discovery", "follow-up", "before the call"])}`,
              content: `${firstName} ${lastName}, ${company.name}.\n\n${pick(random, remarks)} ${pick(random, remarks)}`,
              at: workday(random() * 300),
            },
          ]
        : [];
    const email = `${firstName}.${lastName}.${index}@${company.domain}`.toLowerCase();
    const learned = { name: ago(400), title: ago(5 + random() * 80), stage: activities.at(-1)?.at ?? ago(60) };
    const isBooked = stage === "evaluating" && booked < MEETINGS;
    if (isBooked) booked++;
    const meeting = isBooked ? atTenOClock(now, 1 + 2 * booked) : null;
    const isDisputed = stage === "interested" && disputes < DISPUTES;
    if (isDisputed) disputes++;
    const disputed = isDisputed ? { title: "Chief Revenue Officer", at: ago(2 + disputes) } : null;
    return {
      meeting,
      disputed,
      learned,
      email,
      firstName,
      lastName,
      title: pick(random, titles),
      stage,
      activities,
      notes,
    };
  });
}
