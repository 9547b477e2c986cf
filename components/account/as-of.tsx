"use client";

import { History } from "lucide-react";
import { useState } from "react";
import { ExactDay } from "#components/records/exact-time.tsx";
import { Button } from "#components/ui/button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { Moment } from "./moment.ts";

type AsOfProps = { moment: Moment; onMoment: (day: string | null, by: "true" | "known") => void };

const AsOfChoices = onDemand("The days", () => import("./as-of-choices.tsx").then((module) => module.AsOfChoices), {
  loading: <Skeleton className="h-56 w-full" />,
});

/** Picks the day the page is shown as of. */
export function AsOf({ moment, onMoment }: AsOfProps) {
  const [open, setOpen] = useState(false);
  const by = moment?.by ?? "true";
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button>
          <History aria-hidden="true" />
          {moment ? (
            <>
              As of <ExactDay value={moment.day} format="long" />
            </>
          ) : (
            <span className="max-sm:sr-only">As of now</span>
          )}
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label="Show the page as of" className="flex flex-col gap-3">
        <AsOfChoices
          moment={moment}
          onMoment={onMoment}
          onNow={() => {
            setOpen(false);
            onMoment(null, by);
          }}
        />
      </PopoverContent>
    </Popover>
  );
}

/** Says that the page shows the past, with the way back to now. */
export function PastBanner({ moment, onNow }: { moment: NonNullable<Moment>; onNow: () => void }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-lg bg-warning-soft px-4 py-2 text-warning-text"
    >
      <span>
        {moment.by === "known" ? "What we knew on" : "What was true on"} <ExactDay value={moment.day} format="long" />.
        Contact details, people and company are today’s.
      </span>
      <Button variant="link" className="text-warning-text" onClick={onNow}>
        Back to now
      </Button>
    </div>
  );
}
