import { useEffect, useRef, useState } from "react";
import { sourceWords } from "#components/records/names.ts";
import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";

const shownMs = 6_000;

const wording = (fact: EntryVersion) => `${fact.id} ${fact.recorded_at}`;

export type Changes = {
  /** Ids of entries someone else wrote a moment ago. */
  changed: ReadonlySet<string>;
  /** The same in a sentence, for screen readers. */
  news: string;
  /** Marks these entries as the reader's own changes. */
  own: (ids: readonly string[]) => void;
};

/** What appeared while the page was open and was not written here. */
export function useChanges(facts: readonly EntryVersion[]): Changes {
  const seenWordings = useRef(new Set(facts.map(wording)));
  const mine = useRef(new Set<string>());
  const [changed, setChanged] = useState<readonly EntryVersion[]>([]);

  useEffect(() => {
    const appeared = facts.filter((fact) => !seenWordings.current.has(wording(fact)) && !mine.current.has(fact.id));
    for (const fact of facts) seenWordings.current.add(wording(fact));
    if (appeared.length > 0) setChanged(appeared);
  }, [facts]);

  useEffect(() => {
    if (changed.length === 0) return;
    const timer = setTimeout(() => setChanged([]), shownMs);
    return () => clearTimeout(timer);
  }, [changed]);

  return {
    changed: new Set(changed.map((fact) => fact.id)),
    news: changed.map((fact) => `${fact.category} was changed: ${sourceWords(fact.source)}.`).join(" "),
    own: (ids) => {
      for (const id of ids) mine.current.add(id);
    },
  };
}
