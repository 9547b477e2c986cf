"use client";

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { peopleKind } from "#components/people/people-kind.tsx";
import { movedWords } from "#components/records/moved.ts";
import { personName } from "#components/records/names.ts";
import type { ListView } from "#components/records/record-list.tsx";
import type { Stage } from "#components/records/stages.ts";
import { useRowActions } from "#components/records/use-row-actions.ts";
import type { Person } from "#lib/domain/crm/people/contract.ts";
import { CardFace } from "./board-card.tsx";
import { BoardColumnView } from "./board-column.tsx";
import { useBoard } from "./use-board.ts";
import { useBoardKeys } from "./use-board-keys.ts";
import { useDrag } from "./use-drag.ts";

type PeopleBoardProps = ListView & { workspaceId: string };

/** People in a column for each stage; a card moves by pointer, by keyboard or by its menu. */
export function PeopleBoard({ workspaceId, query, sort, empty }: PeopleBoardProps) {
  const { columns, apply } = useBoard(peopleKind, workspaceId, query, sort);
  const { setStage } = useRowActions({ kind: peopleKind, workspaceId, place: {}, apply });
  const [said, say] = useState("");
  const find = (id: string) => columns.flatMap(({ cards }) => cards).find((card) => card.id === id);
  const focusNext = useRef<string | null>(null);

  function move(id: string, to: Stage) {
    const person = find(id);
    if (!person || person.pipeline_stage === to) return;
    setStage([person], to);
    say(`${movedWords(personName(person), to)}.`);
  }

  const latest = useRef(move);
  latest.current = move;
  const onMove = useCallback((person: Person, to: Stage) => {
    focusNext.current = person.id;
    latest.current(person.id, to);
  }, []);
  const { held, hold, box, attach, ghost, onPress } = useDrag(move);
  const stages = useMemo(() => columns.map(({ stage }) => stage), [columns]);
  const onKey = useBoardKeys({
    box,
    stages,
    dragged: held,
    hold,
    say,
    nameOf: (id) => nameOf(find(id)),
    drop: (id, to) => {
      focusNext.current = id;
      move(id, to);
    },
  });
  // A card that was dropped by keyboard is another element in its new column.
  useEffect(() => {
    if (focusNext.current === null) return;
    box.current?.querySelector<HTMLElement>(`[data-card="${focusNext.current}"] a`)?.focus();
    focusNext.current = null;
  });

  const loaded = columns.every(({ isPending }) => !isPending);
  if (loaded && columns.every(({ cards, error }) => cards.length === 0 && error === null)) return empty;
  const heldPerson = held ? find(held.id) : undefined;
  return (
    <>
      <p id="board-keys" className="sr-only">
        Space picks the card up, the left and right arrows choose a stage, Space drops it, Escape leaves it where it
        was.
      </p>
      <p aria-live="assertive" className="sr-only">
        {said}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the links in it */}
      <div
        ref={attach}
        onKeyDown={onKey}
        onBlur={() => (held?.by === "keyboard" ? hold(null) : undefined)}
        className="-mx-4 flex snap-x snap-mandatory scroll-px-4 gap-3 overflow-x-auto px-4 pb-2 [scrollbar-width:thin] md:mx-0 md:snap-none md:px-0"
      >
        {columns.map((column) => (
          <BoardColumnView
            key={column.stage}
            column={column}
            workspaceId={workspaceId}
            dragged={held}
            onPress={onPress}
            onMove={onMove}
          />
        ))}
      </div>
      {held?.by === "pointer" && heldPerson ? (
        <div
          ref={ghost}
          aria-hidden="true"
          className="pointer-events-none fixed top-0 left-0 z-50 w-64 rounded-md border border-border-strong bg-popover p-3 shadow-md"
        >
          <CardFace person={heldPerson} />
        </div>
      ) : null}
    </>
  );
}

const nameOf = (person: Person | undefined): string => (person ? personName(person) : "");
