import { useRef, useState } from "react";

export type Selection = {
  size: number;
  /** Every loaded row is picked. */
  all: boolean;
  /** All that match are picked, also those that are not loaded. */
  whole: boolean;
  has: (id: string) => boolean;
  /** With `range`, every row since the last toggled one. */
  toggle: (index: number, range: boolean) => void;
  toggleAll: () => void;
  pickWhole: () => void;
  clear: () => void;
};

type SelectionState = { picked: ReadonlySet<string>; wholeOf: { scope: unknown } | null };
const nothing: SelectionState = { picked: new Set(), wholeOf: null };

/**
 * Which of the loaded rows are picked; a row that leaves the list is no longer picked. `scope`: what the list shows; with other
 * filters "all that match" are others, so they are no longer picked.
 */
export function useSelection(rows: readonly { id: string }[], scope: unknown = null): Selection {
  const [{ picked, wholeOf }, show] = useState(nothing);
  /** What is picked as of the latest key or click, drawn or not: the next one begins with it. */
  const latest = useRef(nothing);
  const anchor = useRef<number | null>(null);
  const whole = wholeOf !== null && wholeOf.scope === scope && rows.length > 0;
  const shown = whole ? rows : rows.filter(({ id }) => picked.has(id));
  const all = rows.length > 0 && shown.length === rows.length;

  function keep(next: SelectionState) {
    latest.current = next;
    show(next);
  }
  const pick = (ids: ReadonlySet<string>) => keep({ picked: ids, wholeOf: null });

  function toggle(index: number, range: boolean) {
    const id = rows[index]?.id;
    if (id === undefined) return;
    const before = latest.current;
    const wasWhole = before.wholeOf !== null && before.wholeOf.scope === scope;
    const adds = !wasWhole && !before.picked.has(id);
    const from = range && anchor.current !== null ? Math.min(anchor.current, index) : index;
    const to = range && anchor.current !== null ? Math.max(anchor.current, index) : index;
    const next = new Set(rows.filter((row) => wasWhole || before.picked.has(row.id)).map((row) => row.id));
    for (const row of rows.slice(from, to + 1)) {
      if (adds) next.add(row.id);
      else next.delete(row.id);
    }
    anchor.current = index;
    pick(next);
  }

  return {
    size: shown.length,
    all,
    whole,
    has: (id) => whole || picked.has(id),
    toggle,
    toggleAll: () => pick(all ? new Set() : new Set(rows.map(({ id }) => id))),
    pickWhole: () => keep({ picked, wholeOf: { scope } }),
    clear: () => pick(new Set()),
  };
}
