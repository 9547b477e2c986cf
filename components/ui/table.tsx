import { ArrowDown, ArrowUp } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn.ts";

export type TableProps = ComponentProps<"table"> & {
  /** What the rows are; the accessible name of the table. */
  label: string;
  /** `page`: the page scrolls and the header sticks to its top. `inside`: the box does, so give it a height. */
  scroll?: "page" | "inside";
  /** Of the box around it. */
  boxClassName?: string;
};

/**
 * Rows of 40 px, and a header that sticks under whatever sets `--sticky-top`. Below 768 px a table keeps a readable width
 * and scrolls sideways inside its box.
 */
export function Table({ label, scroll = "page", boxClassName, className, ...props }: TableProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className={cn(
        "relative w-full rounded-lg border bg-card",
        scroll === "inside" ? "overflow-auto" : "max-md:overflow-x-auto",
        // A box that scrolls is what its header sticks to.
        scroll === "inside" ? "[--sticky-top:0px]" : "max-md:[--sticky-top:0px]",
        boxClassName,
      )}
    >
      <table
        aria-label={label}
        className={cn("w-full border-separate border-spacing-0 text-left max-md:min-w-160", className)}
        {...props}
      />
    </section>
  );
}

export function TableHeader(props: ComponentProps<"thead">) {
  return <thead {...props} />;
}

export function TableBody({ className, ...props }: ComponentProps<"tbody">) {
  return <tbody className={cn("[&>tr:last-child>td]:border-b-0", className)} {...props} />;
}

export function TableRow({ className, ...props }: ComponentProps<"tr">) {
  return <tr className={cn("group/row hover:bg-hover/60 aria-selected:bg-selected", className)} {...props} />;
}

export type TableHeadProps = ComponentProps<"th"> & {
  align?: "left" | "right";
  /** Present on a sortable column: how it is sorted now. */
  sort?: "ascending" | "descending" | "none";
  onSort?: () => void;
  /** Beside what sorts. */
  after?: ReactNode;
};

export function TableHead({ align = "left", sort, onSort, after, className, children, ...props }: TableHeadProps) {
  return (
    <th
      scope="col"
      aria-sort={sort}
      className={cn(
        "sticky top-(--sticky-top,0px) z-10 h-9 whitespace-nowrap border-b bg-card px-3 font-medium text-muted-foreground text-sm first:rounded-tl-lg first:pl-4 last:rounded-tr-lg last:pr-4",
        align === "right" && "text-right",
        className,
      )}
      {...props}
    >
      {sort && onSort ? (
        <button
          type="button"
          onClick={onSort}
          className="-mx-1 inline-flex h-7 max-w-full items-center gap-1 rounded-xs px-1 hover:text-foreground"
        >
          {children}
          {sort === "none" ? null : sort === "ascending" ? (
            <ArrowUp aria-hidden="true" className="size-3.5" />
          ) : (
            <ArrowDown aria-hidden="true" className="size-3.5" />
          )}
        </button>
      ) : (
        children
      )}
      {after}
    </th>
  );
}

export type TableCellProps = ComponentProps<"td"> & { align?: "left" | "right" };

export function TableCell({ align = "left", className, ...props }: TableCellProps) {
  return (
    <td
      className={cn("h-10 border-b px-3 py-1 first:pl-4 last:pr-4", align === "right" && "text-right", className)}
      {...props}
    />
  );
}
