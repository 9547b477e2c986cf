import type { ReactNode } from "react";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Badge, type BadgeProps } from "#components/ui/badge.tsx";

type DeliveryStatusWords = { label: string; tone: NonNullable<BadgeProps["tone"]> };

type DeliveryRowProps = {
  title: ReactNode;
  /** Beside the title, quieter. */
  notes?: ReactNode;
  /** Sent as a test. */
  test: boolean;
  status: DeliveryStatusWords;
  /** How it ended, in a sentence. */
  result: string;
  at: string;
  onOpen: () => void;
};

/** A delivery in a log, which opens as a sheet: from a provider, or to the target of a trigger. */
export function DeliveryRow({ title, notes, test, status, result, at, onOpen }: DeliveryRowProps) {
  return (
    <li className="relative flex items-start gap-3 border-t px-4 py-2.5 first:border-t-0 hover:bg-hover/60">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={onOpen}
            className="min-w-0 truncate text-left font-medium after:absolute after:inset-0"
          >
            {title}
          </button>
          {notes ? <span className="text-muted-foreground text-sm">{notes}</span> : null}
          {test ? <Badge tone="outline">Test</Badge> : null}
          <Badge tone={status.tone}>{status.label}</Badge>
        </div>
        <p className="wrap-anywhere text-muted-foreground text-sm">{result}</p>
      </div>
      <RelativeTime value={at} className="relative z-1 shrink-0 text-muted-foreground text-sm leading-5" />
    </li>
  );
}
