"use client";

import { useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardFooter, CardHeader } from "#components/ui/card.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { ImportKind } from "./calls.ts";
import { ColumnRow } from "./column-row.tsx";
import { nameOf, proposedProperties } from "./mapping.ts";
import type { Mapping } from "./use-mapping.ts";
import { figure, joined } from "./words.ts";

const TargetPicker = onDemand("The list of fields", () =>
  import("./target-picker.tsx").then((module) => module.TargetPicker),
);

type ColumnsProps = { workspaceId: string; kind: ImportKind; mapping: Mapping };

/** What each column is imported as, and why. */
export function Columns({ workspaceId, kind, mapping }: ColumnsProps) {
  const { columns, clashes, choose, read } = mapping;
  const [picking, setPicking] = useState<number | null>(null);
  const anchor = useRef<HTMLElement | null>(null);
  const picked = columns.find(({ column }) => column === picking);
  const imported = columns.filter(({ to }) => to !== null).length;
  const properties = proposedProperties(columns);

  function open(column: number, button: HTMLElement) {
    anchor.current = button;
    setPicking(column === picking ? null : column);
  }

  const leaveOut = (column: number) => choose(new Map([[column, null]]));

  return (
    <Card aria-labelledby="import-columns">
      <CardHeader
        titleId="import-columns"
        title="Columns"
        description={`${figure(imported)} of ${figure(columns.length)} ${columns.length === 1 ? "column is" : "columns are"} imported.`}
      />
      <ul aria-labelledby="import-columns" className="divide-y border-t">
        {columns.map((column) => {
          const others = clashes.get(column.column);
          return (
            <ColumnRow
              key={column.column}
              column={column}
              clash={others ? joined(others.map(nameOf)) : null}
              open={column.column === picking}
              onOpen={open}
              onLeaveOut={leaveOut}
            />
          );
        })}
      </ul>
      {properties.size > 0 ? (
        <CardFooter className="justify-between">
          <span>
            {properties.size === 1
              ? "1 column matches no field and becomes a custom property."
              : `${figure(properties.size)} columns match no field and become custom properties.`}
          </span>
          <Button size="sm" onClick={() => choose(properties)}>
            Leave {properties.size === 1 ? "it" : "them"} out
          </Button>
        </CardFooter>
      ) : null}
      {picked ? (
        <TargetPicker
          key={picked.column}
          workspaceId={workspaceId}
          kind={kind}
          column={picked}
          columns={columns}
          anchor={anchor}
          onPick={(to) => {
            setPicking(null);
            choose(new Map([[picked.column, to]]));
          }}
          onRead={(as) => {
            setPicking(null);
            read(picked.column, as);
          }}
          onClose={() => setPicking(null)}
        />
      ) : null}
    </Card>
  );
}
