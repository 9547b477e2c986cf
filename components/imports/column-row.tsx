import { ArrowRight, ChevronDown, TriangleAlert } from "lucide-react";
import { memo } from "react";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import type { Column } from "#lib/domain/workspace/imports/contract.ts";
import { isProperty, isReadable, nameOf, targetLabel } from "./mapping.ts";
import { readingLabels } from "./words.ts";

type ColumnRowProps = {
  column: Column;
  /** The columns that are on the same field, in words. */
  clash: string | null;
  open: boolean;
  onOpen: (column: number, button: HTMLElement) => void;
  onLeaveOut: (column: number) => void;
};

/** Below this confidence a proposal is pointed out. */
const UNSURE = 0.75;

/** A column of the file with some of its values, and what it is imported as. */
export const ColumnRow = memo(function ColumnRow({ column, clash, open, onOpen, onLeaveOut }: ColumnRowProps) {
  const { header, samples, filled, to } = column;
  return (
    <li className="grid items-start gap-x-4 gap-y-2 px-4 py-2.5 md:grid-cols-[minmax(0,1fr)_1rem_14rem_minmax(0,1fr)]">
      <div className="min-w-0">
        <p className="wrap-anywhere line-clamp-2 font-medium">
          {header.trim() === "" ? <span className="text-muted-foreground">Column {column.column}</span> : header}
        </p>
        <p className="wrap-anywhere line-clamp-2 text-muted-foreground text-sm">
          {samples.length === 0 ? "No values in the first rows" : samples.join(" · ")}
          {filled > 0 && filled < 0.995 ? ` (${Math.max(1, Math.round(filled * 100))}% filled)` : null}
        </p>
      </div>
      <ArrowRight aria-hidden="true" className="mt-2 size-4 text-muted-foreground max-md:hidden" />
      <Button
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`${nameOf(column)}: ${targetLabel(to)}. Change`}
        className={cn("w-full justify-between font-normal", to === null && "text-muted-foreground")}
        onClick={({ currentTarget }) => onOpen(column.column, currentTarget)}
      >
        <span className="truncate">{targetLabel(to)}</span>
        <ChevronDown aria-hidden="true" className="text-muted-foreground" />
      </Button>
      {clash ? (
        <p role="alert" className="flex gap-1.5 md:mt-1.5 text-danger-text text-sm">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="wrap-anywhere min-w-0">
            {clash} {clash.includes(" and ") ? "are" : "is"} imported as {targetLabel(to)} too. Choose one.
          </span>
        </p>
      ) : (
        <Why column={column} onLeaveOut={onLeaveOut} />
      )}
    </li>
  );
});

/** Why it was proposed, or what was proposed in its place. */
function Why({ column, onLeaveOut }: { column: Column; onLeaveOut: ColumnRowProps["onLeaveOut"] }) {
  const { to, as, proposed } = column;
  const reading = isReadable(to) && as !== null && as !== "text" ? ` Read as: ${readingLabels[as]}.` : null;
  if (to !== proposed.to)
    return (
      <p className="md:mt-1.5 text-muted-foreground text-sm">
        Your choice. Proposed: {targetLabel(proposed.to)}.{reading}
      </p>
    );
  const isUnsure = to !== null && proposed.confidence < UNSURE;
  if (to !== null && isProperty(to))
    return (
      <div className="flex items-start justify-between gap-3">
        <p className="wrap-anywhere md:mt-1.5 text-muted-foreground text-sm">A custom property.{reading}</p>
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Leave ${nameOf(column)} out`}
          onClick={() => onLeaveOut(column.column)}
        >
          Leave out
        </Button>
      </div>
    );
  return (
    <p className={cn("wrap-anywhere md:mt-1.5 text-sm", isUnsure ? "text-warning-text" : "text-muted-foreground")}>
      {to === null ? null : <span>{Math.round(proposed.confidence * 100)}% sure. </span>}
      {proposed.why}
    </p>
  );
}
