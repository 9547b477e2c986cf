import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "./cn.ts";

const badgeVariants = cva(
  "inline-flex h-5 max-w-full shrink-0 items-center gap-1 whitespace-nowrap rounded-xs px-1.5 font-medium text-xs [&_svg]:size-3",
  {
    variants: {
      tone: {
        neutral: "bg-muted text-muted-foreground",
        outline: "border border-border-strong text-foreground",
        accent: "bg-primary-soft text-primary-text",
        "accent-strong": "bg-primary text-primary-foreground",
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
