import { expect, test } from "vitest";
import { BEGINNING, type Block, digestsOf, hashOf, type SealedEntry, wrongPlace, wrongWithin } from "./rules.ts";

const entry = (id: string, more: Partial<SealedEntry> = {}): SealedEntry => ({
  workspace_id: "w",
  id,
  at: "2026-06-01T10:00:00.000Z",
  actor: "user:u",
  client: null,
  request_id: "r",
  ip: "192.0.2.1",
  action: "member.removed",
  subject: "m",
  detail: { email: "ada@acme.example", role: "member" },
  ...more,
});

function blockOf(number: number, entries: readonly SealedEntry[], before: Block | null = null): Block {
  const [previous, digests] = [before?.hash ?? BEGINNING, digestsOf(entries)];
  return { number, entryIds: entries.map(({ id }) => id), digests, previous, hash: hashOf(previous, digests) };
}

const entries = [entry("a"), entry("b")];
const first = blockOf(1, entries);
const second = blockOf(2, [entry("c")], first);

test.each<[what: string, block: Block, found: SealedEntry[], problem: object | null]>([
  ["nothing", first, entries, null],
  [
    "nothing where the members of a detail are in another order",
    first,
    [entries[0] as SealedEntry, entry("b", { detail: { role: "member", email: "ada@acme.example" } })],
    null,
  ],
  [
    "an entry that is missing",
    first,
    [entries[1] as SealedEntry],
    { entry_id: "a", what: "Entry a of block 1 is missing." },
  ],
  [
    "an entry that was changed",
    first,
    [entries[0] as SealedEntry, entry("b", { ip: "192.0.2.2" })],
    { entry_id: "b", what: "Entry b of block 1 was changed." },
  ],
  ["an entry that was added", first, [...entries, entry("x")], { entry_id: "x" }],
  [
    "a block whose entries were exchanged with their hashes",
    { ...first, digests: digestsOf([entry("a"), entry("b", { action: "x" })]) },
    entries,
    { entry_id: null, what: "Block 1 was changed: it does not have its own hash." },
  ],
])("in a block it finds %s", (_what, block, found, problem) => {
  const wrong = wrongWithin(block, found);
  if (problem === null) expect(wrong).toBeNull();
  else expect(wrong).toMatchObject({ block: 1, ...problem });
});

test.each<[what: string, block: Block, before: Block | null, since: number, problem: string | null]>([
  ["the first", first, null, 1, null],
  ["the next", second, first, 1, null],
  ["the first that was kept", second, null, 2, null],
  ["one without those before it", second, null, 1, "The block 1 is missing."],
  ["one far behind", { ...second, number: 5 }, first, 1, "The blocks 2 to 4 are missing."],
  [
    "one behind a block that was made again",
    second,
    blockOf(1, [entry("a")]),
    1,
    "Block 2 does not follow the block before it: one of the two was changed.",
  ],
  [
    "a first that follows something",
    { ...first, previous: second.hash },
    null,
    1,
    "Block 1 does not follow the block before it: one of the two was changed.",
  ],
])("the place of %s", (_what, block, before, since, problem) => {
  expect(wrongPlace(block, before, since)?.what ?? null).toBe(problem);
});
