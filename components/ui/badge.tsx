import { cva, type VariantProps } from "class-variance-authority";
import { X } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn.ts";

const badgeVariants = cva(
  "inline-flex h-5 max-w-full shrink-0 items-center gap-1 whitespace-nowrap rounded-xs px-1.5 font-medium text-xs [&_svg]:size-3",
  {
    variants: {
      tone: {
        neutral: "bg-muted text-muted-foreground",
        outline: "border border-border-strong text-foreground",
        accent: "bg-primary-soft text-primary-text",
        success: "bg-success-soft text-success-text",
        warning: "bg-warning-soft text-warning-text",
        danger: "bg-danger-soft text-danger-text",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export type BadgeProps = ComponentProps<"span"> &
  VariantProps<typeof badgeVariants> & {
    /** A status light in the tone's colour before the text. */
    dot?: boolean;
  };

export function Badge({ tone, dot, className, children, ...props }: BadgeProps) {
  return (
    <span className={cn(badgeVariants({ tone }), className)} {...props}>
      {dot ? <span aria-hidden="true" className="size-1.5 rounded-full bg-current" /> : null}
      <span className="truncate">{children}</span>
    </span>
  );
}

export type ChipProps = {
  children: ReactNode;
  /** Adds a remove button; `removeLabel` is its accessible name. */
  onRemove?: () => void;
  removeLabel?: string;
  className?: string;
};

/** A filter or a picked value. */
export function Chip({ children, onRemove, removeLabel = "Remove", className }: ChipProps) {
  return (
    <span
      className={cn(
        "inline-flex h-7 max-w-full items-center gap-1 rounded-md border border-border-strong bg-card px-2 text-sm",
        onRemove && "pr-0.5",
        className,
      )}
    >
      <span className="truncate">{children}</span>
      {onRemove ? (
        <button
          type="button"
          aria-label={removeLabel}
          onClick={onRemove}
          className="grid size-6 shrink-0 place-items-center rounded-xs text-muted-foreground hover:bg-hover hover:text-foreground focus-visible:-outline-offset-2"
        >
          <X aria-hidden="true" className="size-3.5" />
        </button>
      ) : null}
    </span>
  );
}
