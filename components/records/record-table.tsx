"use client";

import { memo, type ReactNode, useCallback, useMemo, useRef } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { cn } from "#components/ui/cn.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "#components/ui/table.tsx";
import { ColumnHead } from "./column-head.tsx";
import { columnWidth, roomClasses } from "./column-room.ts";
import type { CellContext, Column, ListedRecord, ListKind } from "./list-kind.ts";
import type { Arrangement } from "./use-arrangement.ts";
import { type List, useRowsInView } from "./use-rows-in-view.ts";
import type { Selection } from "./use-selection.ts";

const ROW = 40;
const looks = {
  rowHeight: ROW,
  overscan: 12,
  firstHeight: 900,
  covered: { start: 100, end: 60 },
};

export type RowsProps<Row extends ListedRecord> = List<Row> & {
  kind: Pick<ListKind<Row>, "many" | "nameOf" | "card">;
  columns: readonly Column<Row>[];
  context: CellContext<Row>;
  selection: Selection;
  /** `last_activity_desc` … */
  sort: string;
  onSort: (sort: string) => void;
  dimmed: boolean;
  /** Left out: the columns stay as they are. */
  arrangement?: Arrangement | undefined;
};

/** A list on a wide screen. */
export function RecordTable<Row extends ListedRecord>(props: RowsProps<Row>) {
  const { kind, rows, columns, context, selection, sort, onSort, hasMore, dimmed, arrangement } = props;
  const { box, first, end } = useRowsInView<HTMLTableSectionElement>(props, looks);
  const newest = useRef(selection);
  newest.current = selection;
  const toggle = useCallback((at: number, range: boolean) => newest.current.toggle(at, range), []);

  const room = useMemo(() => roomClasses(columns), [columns]);
  return (
    <Table
      label={kind.many}
      className="table-fixed"
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      boxClassName={dimmed ? "opacity-60" : undefined}
    >
      <colgroup>
        <col className="w-10" />
        {columns.map(({ id, weight }, index) => (
          <col key={id} data-column={id} className={room[index]} style={{ width: columnWidth(weight) }} />
        ))}
      </colgroup>
      <TableHeader>
        <tr aria-rowindex={1}>
          <TableHead>
            <Checkbox
              aria-label={`Select all ${rows.length} loaded`}
              checked={selection.all ? true : selection.size > 0 ? "indeterminate" : false}
              onCheckedChange={selection.toggleAll}
            />
          </TableHead>
          <Heads columns={columns} room={room} sort={sort} onSort={onSort} arrangement={arrangement} />
        </tr>
      </TableHeader>
      <TableBody ref={box}>
        {first > 0 ? <Spacer height={first * ROW} /> : null}
        {rows.slice(first, end).map((row, place) => {
          const index = first + place;
          return (
            <Line
              key={row.id}
              row={row}
              index={index}
              name={kind.nameOf(row)}
              columns={columns}
              room={room}
              context={context}
              picked={selection.has(row.id)}
              onToggle={toggle}
            />
          );
        })}
        {end < rows.length ? <Spacer height={(rows.length - end) * ROW} /> : null}
        {hasMore ? <MoreRow /> : null}
      </TableBody>
    </Table>
  );
}

type HeadsProps<Row extends ListedRecord> = Pick<RowsProps<Row>, "columns" | "sort" | "onSort" | "arrangement"> & {
  room: readonly string[];
};

function TableHeads<Row extends ListedRecord>({
  columns,
  room,
  sort,
  onSort,
  arrangement,
}: HeadsProps<Row>): ReactNode {
  return columns.map(({ id, label, align, sort: field, ...sorting }, index) => (
    <ColumnHead
      key={id}
      columns={columns}
      index={index}
      arrangement={arrangement}
      className={room[index]}
      lineClassName={room[index + 1]}
      {...(align ? { align } : {})}
      {...(field ? sortOf(field, sort, onSort, sorting) : {})}
    >
      {label}
    </ColumnHead>
  ));
}

/** Not rendered again when a row changes. */
const Heads = memo(TableHeads) as typeof TableHeads;

type LineProps<Row> = {
  row: Row;
  index: number;
  name: string;
  columns: readonly Column<Row>[];
  room: readonly string[];
  context: CellContext<Row>;
  picked: boolean;
  onToggle: (index: number, range: boolean) => void;
};

function TableLine<Row>({ row, index, name, columns, room, context, picked, onToggle }: LineProps<Row>) {
  return (
    <TableRow
      data-row={index}
      data-picked={picked || undefined}
      aria-rowindex={index + 2}
      className="relative focus-within:bg-hover/60 data-picked:bg-selected"
    >
      <TableCell>
        <Checkbox
          aria-label={`Select ${name}`}
          checked={picked}
          onClick={(event) => onToggle(index, event.shiftKey)}
          className="z-1"
        />
      </TableCell>
      {columns.map((column, place) => (
        <TableCell
          key={column.id}
          className={cn("overflow-hidden", room[place])}
          {...(column.align ? { align: column.align } : {})}
        >
          {column.cell(row, context)}
        </TableCell>
      ))}
    </TableRow>
  );
}

/** Not rendered again while the reader scrolls and the row does not change. */
const Line = memo(TableLine) as typeof TableLine;

/** It spans one column: those that are left out would come back, empty. */
function Spacer({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can take the focus
    <tr aria-hidden="true">
      <td style={{ height }} className="p-0" />
    </tr>
  );
}

function MoreRow() {
  return (
    <tr>
      <td colSpan={2} className="h-10 px-4">
        <span className="sr-only">More is loading</span>
        <Skeleton className="w-40" />
      </td>
    </tr>
  );
}

/** A sortable header: first the highest, then the lowest; texts the other way round. */
function sortOf(
  field: string,
  sort: string,
  onSort: (sort: string) => void,
  { ascendingFirst = false, descendingOnly = false }: Pick<Column<ListedRecord>, "ascendingFirst" | "descendingOnly">,
) {
  const now = sort === `${field}_desc` ? "descending" : sort === `${field}_asc` ? "ascending" : "none";
  const first = ascendingFirst ? "ascending" : "descending";
  const ascending = now === first ? !ascendingFirst : ascendingFirst;
  return { sort: now, onSort: () => onSort(ascending && !descendingOnly ? `${field}_asc` : `${field}_desc`) } as const;
}
