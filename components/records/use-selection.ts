import { useRef, useState } from "react";

export type Selection = {
  size: number;
  all: boolean;
  has: (id: string) => boolean;
  /** With `range`, every row since the last toggled one. */
  toggle: (index: number, range: boolean) => void;
  toggleAll: () => void;
  clear: () => void;
};

/** Which of the loaded rows are picked; a row that leaves the list is no longer picked. */
export function useSelection(rows: readonly { id: string }[]): Selection {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<number | null>(null);
  const shown = rows.filter(({ id }) => picked.has(id));
  const all = rows.length > 0 && shown.length === rows.length;

  function toggle(index: number, range: boolean) {
    const id = rows[index]?.id;
    if (id === undefined) return;
    const adds = !picked.has(id);
    const from = range && anchor.current !== null ? Math.min(anchor.current, index) : index;
    const to = range && anchor.current !== null ? Math.max(anchor.current, index) : index;
    const next = new Set(shown.map((row) => row.id));
    for (const row of rows.slice(from, to + 1)) {
      if (adds) next.add(row.id);
      else next.delete(row.id);
    }
    anchor.current = index;
    setPicked(next);
  }

  return {
    size: shown.length,
    all,
    has: (id) => picked.has(id),
    toggle,
    toggleAll: () => setPicked(all ? new Set() : new Set(rows.map(({ id }) => id))),
    clear: () => setPicked(new Set()),
  };
}
