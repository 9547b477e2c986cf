import { useEffect, useState, useSyncExternalStore } from "react";
import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";
import { createDrafts, type Draft, type Drafts } from "./drafts.ts";

/** The page's open editors. What an earlier visit left unsaved appears right after hydration. */
export function useDrafts(
  workspaceId: string,
  facts: readonly EntryVersion[],
  opened: () => Draft[],
): [Drafts, readonly Draft[]] {
  const [drafts] = useState(() => createDrafts(`rapport.drafts.${workspaceId}`, opened()));
  const list = useSyncExternalStore(drafts.subscribe, drafts.list, drafts.list);
  const [first] = useState(facts);
  useEffect(() => {
    drafts.restore((draft) =>
      first.some((fact) => fact.category === draft.category && fact.content === draft.text.trim()),
    );
  }, [drafts, first]);
  return [drafts, list];
}
