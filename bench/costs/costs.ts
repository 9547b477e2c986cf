/**
 * What thirteen hot operations cost at 20,000 people, in numbers that noise cannot touch. A number changes only on purpose: write here
 * the new one, and into `why` what bought it.
 */
export type Cost = {
  /** statements sent, without BEGIN, COMMIT and settings */
  statements: number;
  /** how often the work waited for the database before it sent more */
  waits: number;
  /** bytes of the answer's body */
  bytes: number;
  /** rows of tables and entries of indexes that the statements of a read look at; not measured for writes */
  rows: number | null;
  /** blocks of 8 kB that they touch, which may differ by a tenth between two fillings */
  blocks: number | null;
  why: string;
};

export const costs: Readonly<Record<string, Cost>> = {
  "list people": {
    statements: 2,
    waits: 1,
    bytes: 60947,
    rows: 101,
    blocks: 86,
    why: "one index walk; the second statement is the workspace's proof",
  },
  "list people by stage": {
    statements: 2,
    waits: 1,
    bytes: 58291,
    rows: 101,
    blocks: 66,
    why: "one index walk",
  },
  "list people without LinkedIn": {
    statements: 2,
    waits: 1,
    bytes: 57939,
    rows: 206,
    blocks: 175,
    why: "one index walk, half of which has a profile and is passed over",
  },
  "find people by title, company and contact": {
    statements: 8,
    waits: 4,
    bytes: 734,
    rows: 935,
    blocks: 2466,
    why: "the first are tried, then the few with the title looked up and counted, then more to try looked for",
  },
  "search people": {
    statements: 2,
    waits: 1,
    bytes: 27092,
    rows: 86,
    blocks: 72,
    why: "the trigram index finds candidates, a name that 0.2 % have",
  },
  "list companies": {
    statements: 2,
    waits: 1,
    bytes: 47129,
    rows: 101,
    blocks: 51,
    why: "one index walk; rows are longer by their text (0120), which says the same in fewer bytes",
  },
  "list facts": {
    statements: 2,
    waits: 1,
    bytes: 1697,
    rows: 3,
    blocks: 2,
    why: "current claims of the workspace",
  },
  "get an account": {
    statements: 8,
    waits: 2,
    bytes: 2362,
    rows: 19,
    blocks: 30,
    why: "who is meant, then everything about them at once; the scoring model comes with the card (0125)",
  },
  "get a context": {
    statements: 12,
    waits: 2,
    bytes: 2299,
    rows: 22,
    blocks: 41,
    why: "who is meant and the GTM profile, then everything about them at once, the last conversation by e-mail and who knows them too (issue 35); the scoring model comes with the card (0125)",
  },
  "capture an activity": {
    statements: 10,
    waits: 3,
    bytes: 216,
    rows: null,
    blocks: null,
    why: "look, lock and read, write with the COMMIT (0112); two of them prove the workspace",
  },
  "capture it again": {
    statements: 2,
    waits: 1,
    bytes: 215,
    rows: null,
    blocks: null,
    why: "answered by the look",
  },
  "record one state": {
    statements: 11,
    waits: 3,
    bytes: 242,
    rows: null,
    blocks: null,
    why: "look, lock and read, write with the COMMIT (0112); two of them prove the workspace",
  },
  "update a person": {
    statements: 12,
    waits: 4,
    bytes: 708,
    rows: null,
    blocks: null,
    why: "as a state, and the answer reads the row",
  },
};
