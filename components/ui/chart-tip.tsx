import type { ReactNode } from "react";

/** What is shown of the place that the pointer is at: its name and its values. */
export function ChartTip({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="rounded-md border bg-popover px-3 py-2 text-sm shadow-md">
      <p className="font-medium">{title}</p>
      {children}
    </div>
  );
}
