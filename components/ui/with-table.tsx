import type { ReactNode } from "react";
import { cn } from "./cn.ts";

type WithTableProps = {
  /** Sees to the height. */
  className: string;
  chart: ReactNode;
  /** What the chart shows, in figures. */
  table: ReactNode;
};

/** A chart, and the table that says the same under it: for screen readers too, for which the chart is not there. */
export function WithTable({ className, chart, table }: WithTableProps) {
  return (
    <>
      <div aria-hidden="true" className={cn("-ml-2", className)}>
        {chart}
      </div>
      <details className="text-sm">
        <summary className="w-fit cursor-pointer rounded-xs text-muted-foreground hover:text-foreground">
          Show as a table
        </summary>
        {table}
      </details>
    </>
  );
}
