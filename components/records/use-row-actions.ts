import { useMemo, useRef } from "react";
import type { CellContext, ListedRecord, ListKind, Place } from "./list-kind.ts";
import { memberName, type Owner } from "./members.ts";
import { movedWords } from "./moved.ts";
import type { Stage } from "./stages.ts";
import type { Apply } from "./use-records.ts";

export type StagedRecord = ListedRecord & {
  pipeline_stage?: Stage;
  owner: string | null;
  status: "active" | "archived";
};

type Means<Row extends ListedRecord> = {
  kind: ListKind<Row>;
  workspaceId: string;
  place: Place;
  apply: Apply<Row>;
};

/**
 * The actions on rows, one or many; `context` is the same object at every render, so that cells are not rendered again.
 */
export function useRowActions<Row extends StagedRecord>({ kind, workspaceId, place, apply }: Means<Row>) {
  const setStage = (targets: readonly Row[], stage: Stage) =>
    void apply(
      targets,
      { pipeline_stage: stage },
      (row) => ({ pipeline_stage: row.pipeline_stage ?? "identified" }),
      (done) => movedWords(counted(kind, done), stage),
    );

  const setOwner = (targets: readonly Row[], owner: Owner) =>
    void apply(
      targets,
      { owner: owner?.email ?? null },
      (row) => ({ owner: row.owner }),
      (done) => `${counted(kind, done)} ${owner ? `given to ${memberName(owner)}` : "left without an owner"}`,
    );

  function archive(targets: readonly Row[]) {
    const archived = place.status === "archived";
    void apply(
      targets,
      { status: archived ? "active" : "archived" },
      () => ({ status: archived ? "archived" : "active" }),
      (done) => `${counted(kind, done)} ${archived ? "restored" : "archived"}`,
    );
  }

  const moveOne = useRef(setStage);
  moveOne.current = setStage;
  const context = useMemo<CellContext<Row>>(
    () => ({ workspaceId, onStage: (row, stage) => moveOne.current([row], stage) }),
    [workspaceId],
  );
  return { setStage, setOwner, archive, context };
}

const counted = <Row extends ListedRecord>(kind: ListKind<Row>, rows: readonly Row[]): string =>
  rows.length === 1 && rows[0] ? kind.nameOf(rows[0]) : `${rows.length} ${kind.many}`;
