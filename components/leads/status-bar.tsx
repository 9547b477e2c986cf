import { cn } from "#components/ui/cn.ts";
import { numeral } from "#components/ui/numbers.ts";
import type { LeadList } from "./calls.ts";
import { statuses } from "./looks.ts";

/** From the furthest to the last. */
const order = ["replied", "sent", "bounced", "pending"] as const;

/** How far the leads of a list are: a bar, and the same in words. */
export function StatusBar({ list }: { list: LeadList }) {
  const { by_status, lead_count } = list;
  if (lead_count === 0) return <span className="text-muted-foreground text-sm">No leads yet</span>;
  const parts = order.filter((status) => by_status[status] > 0);
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <span aria-hidden="true" className="flex h-1.5 gap-px overflow-hidden rounded-full bg-muted">
        {parts.map((status) => (
          <span
            key={status}
            className={cn("h-full min-w-0.5", statuses[status].bar)}
            style={{ width: `${(by_status[status] / lead_count) * 100}%` }}
          />
        ))}
      </span>
      <span className="truncate text-muted-foreground text-xs">
        {parts.map((status) => `${numeral(by_status[status])} ${statuses[status].label.toLowerCase()}`).join(" · ")}
      </span>
    </span>
  );
}
