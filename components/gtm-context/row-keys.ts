type Entry = { id: string; supersedes: string | null };

/**
 * Entry id to row key. A row keeps its key when its entry is superseded, so that an editor in it keeps its focus and
 * caret while someone else changes the entry.
 */
export function nextRowKeys(entries: readonly Entry[], previous: ReadonlyMap<string, string>): Map<string, string> {
  const keys = new Map<string, string>();
  const used = new Set<string>();
  for (const { id, supersedes } of entries) {
    let key = previous.get(id) ?? (supersedes ? previous.get(supersedes) : undefined) ?? id;
    if (used.has(key)) key = id;
    while (used.has(key)) key += "+";
    used.add(key);
    keys.set(id, key);
  }
  return keys;
}
