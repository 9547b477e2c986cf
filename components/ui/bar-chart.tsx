"use client";

import { type PointerEvent, type ReactNode, useState } from "react";
import { cn } from "./cn.ts";
import { numberAs } from "./numbers.ts";
import { ticksTo } from "./ticks.ts";

type Bar<Row> = { name: string; of: (row: Row) => number; colour: string };

type BarChartProps<Row> = {
  rows: readonly Row[];
  bars: readonly Bar<Row>[];
  /** On top of each other, or side by side. */
  stacked: boolean;
  /** What is written under a row; there is room for about six. */
  words: (row: Row) => string;
  /** A `ChartTip` about the row that the pointer is at. */
  tip: (row: Row) => ReactNode;
};

/** Most words along the bottom. */
const WORDS = 6;
/** The part of a row's width that its bars take. */
const FILLED = 0.8;

/** Counts as bars, with axes, as high as its place. Visual only: show a table that says the same beside it. */
export function BarChart<Row>({ rows, bars, stacked, words, tip }: BarChartProps<Row>) {
  const [at, setAt] = useState<number | null>(null);
  const highest = rows.map((row) => {
    const counts = bars.map(({ of }) => of(row));
    return stacked ? counts.reduce((sum, count) => sum + count, 0) : Math.max(0, ...counts);
  });
  const ticks = ticksTo(Math.max(0, ...highest));
  const top = ticks.at(-1) as number;
  const every = Math.ceil(rows.length / WORDS);
  const middle = (place: number) => `${((place + 0.5) / rows.length) * 100}%`;
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.min(rows.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * rows.length))));
  };
  const shown = at === null ? undefined : rows[at];
  return (
    <div aria-hidden="true" className="relative size-full pt-2 pr-2 pb-6 pl-10.5 text-muted-foreground text-xs">
      <div
        className="relative size-full"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setAt(null)}
      >
        {ticks.map((count) => (
          <div key={count} className="absolute inset-x-0 border-t" style={{ bottom: `${(count / top) * 100}%` }}>
            <span className="absolute right-full -translate-y-1/2 whitespace-nowrap pr-2 leading-none">
              {numberAs("short", count)}
            </span>
          </div>
        ))}
        <svg
          className="absolute inset-0 size-full"
          viewBox={`0 0 ${rows.length} ${top}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          {at === null ? null : <rect x={at} y={0} width={1} height={top} fill="var(--hover)" />}
          {rows.map((row, place) => (
            <Bars key={words(row)} row={row} place={place} top={top} bars={bars} stacked={stacked} />
          ))}
        </svg>
        {rows.map((row, place) =>
          place % every === 0 ? (
            <span
              key={words(row)}
              className="absolute top-full -translate-x-1/2 whitespace-nowrap pt-1.5 leading-none"
              style={{ left: middle(place) }}
            >
              {words(row)}
            </span>
          ) : null,
        )}
        {at === null || shown === undefined ? null : (
          <div
            className={cn(
              "pointer-events-none absolute top-0 z-10 whitespace-nowrap px-2 text-foreground",
              at * 2 > rows.length && "-translate-x-full",
            )}
            style={{ left: middle(at) }}
          >
            {tip(shown)}
          </div>
        )}
      </div>
    </div>
  );
}

type BarsProps<Row> = { row: Row; place: number; top: number; bars: readonly Bar<Row>[]; stacked: boolean };

function Bars<Row>({ row, place, top, bars, stacked }: BarsProps<Row>) {
  const width = stacked ? FILLED : FILLED / bars.length;
  let under = 0;
  return bars.map(({ name, of, colour }, order) => {
    const height = of(row);
    const x = place + (1 - FILLED) / 2 + (stacked ? 0 : order * width);
    const y = top - under - height;
    if (stacked) under += height;
    return height > 0 ? (
      <rect key={name} data-bar={name} x={x} y={y} width={width} height={height} fill={colour} />
    ) : null;
  });
}
