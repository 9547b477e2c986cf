"use client";

import { useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardFooter, CardHeader } from "#components/ui/card.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { ImportKind } from "./calls.ts";
import { ColumnRow } from "./column-row.tsx";
import { nameOf, restAsProperties, takesProperties } from "./mapping.ts";
import type { Mapping } from "./use-mapping.ts";
import { figure, joined } from "./words.ts";

const TargetPicker = onDemand("The list of fields", () =>
  import("./target-picker.tsx").then((module) => module.TargetPicker),
);

type ColumnsProps = { workspaceId: string; kind: ImportKind; mapping: Mapping };

/** What each column is imported as, and why. */
export function Columns({ workspaceId, kind, mapping }: ColumnsProps) {
  const { columns, clashes, choose } = mapping;
  const [picking, setPicking] = useState<number | null>(null);
  const anchor = useRef<HTMLElement | null>(null);
  const picked = columns.find(({ column }) => column === picking);
  const imported = columns.filter(({ to }) => to !== null).length;
  const rest = takesProperties(kind) ? restAsProperties(columns) : new Map();

  function open(column: number, button: HTMLElement) {
    anchor.current = button;
    setPicking(column === picking ? null : column);
  }

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
            />
          );
        })}
      </ul>
      {rest.size > 0 ? (
        <CardFooter className="justify-between">
          <span>
            {figure(rest.size)} {rest.size === 1 ? "column has" : "columns have"} no field of its own.
          </span>
          <Button size="sm" onClick={() => choose(rest)}>
            Keep {rest.size === 1 ? "it as a custom property" : "them as custom properties"}
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
          onClose={() => setPicking(null)}
        />
      ) : null}
    </Card>
  );
}
