import { useState } from "react";
import type { Column, Import } from "#lib/domain/workspace/imports/contract.ts";
import { clashesOf, mappingProblem, type Target } from "./mapping.ts";
import type { ChangeImport } from "./use-import-changes.ts";

export type Mapping = {
  columns: readonly Column[];
  /** Why the file cannot be imported like this. */
  problem: string | null;
  clashes: ReturnType<typeof clashesOf>;
  choose: (wish: ReadonlyMap<number, Target>) => void;
  /** How the cells of a column are read. */
  read: (column: number, as: Column["as"]) => void;
};

/**
 * The choice for each column. It is saved as soon as it makes sense; until then, while two columns are on one field, say,
 * it is kept here.
 */
export function useMapping({ kind, columns: saved }: Import, patch: ChangeImport): Mapping {
  const [unsaved, setUnsaved] = useState<ReadonlyMap<number, Target>>(new Map());
  const columns = chosen(saved, unsaved);

  function choose(wish: ReadonlyMap<number, Target>) {
    const wishes = new Map([...unsaved, ...wish]);
    const next = chosen(saved, wishes);
    if (mappingProblem(kind, next) !== null) return setUnsaved(wishes);
    setUnsaved(new Map());
    patch({ mapping: [...wishes].map(([column, to]) => ({ column, to })) }, { columns: next });
  }

  function read(column: number, as: Column["as"]) {
    const to = columns.find((each) => each.column === column)?.to ?? null;
    patch(
      { mapping: [{ column, to, as }] },
      { columns: columns.map((each) => (each.column === column ? { ...each, as } : each)) },
    );
  }

  return { columns, read, problem: mappingProblem(kind, columns), clashes: clashesOf(columns), choose };
}

const chosen = (columns: Column[], wishes: ReadonlyMap<number, Target>): Column[] =>
  columns.map((column) => {
    const to = wishes.get(column.column);
    return to === undefined ? column : { ...column, to };
  });
