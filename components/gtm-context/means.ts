import type { MakeChange } from "#components/records/use-optimistic.ts";
import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";
import type { callsOf } from "./calls.ts";
import type { Drafts } from "./drafts.ts";
import type { Changes } from "./use-changes.ts";

/** What the actions on the profile need. */
export type Means = {
  calls: ReturnType<typeof callsOf>;
  drafts: Drafts;
  own: Changes["own"];
  /** What the reader is called. */
  writer: string;
  /** Announces it to screen readers. */
  say: (news: string) => void;
  change: MakeChange<EntryVersion[]>;
  /** Changes the cached profile. */
  patch: (next: (facts: EntryVersion[]) => EntryVersion[]) => void;
  /** Reads the profile again. */
  refresh: () => Promise<void>;
};
