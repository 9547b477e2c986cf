import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps, MouseEvent } from "react";
import { cn } from "./cn.ts";
import { Slot } from "./slot.ts";
import { Spinner } from "./spinner.tsx";

const buttonVariants = cva(
  [
    "relative inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium transition-colors",
    "disabled:opacity-50 aria-disabled:opacity-60 [&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4",
  ],
  {
    variants: {
      variant: {
        primary: "bg-primary text-primary-foreground hover:bg-primary-hover",
        secondary: "border border-input bg-card text-foreground hover:bg-hover",
        ghost: "text-foreground hover:bg-hover data-[state=open]:bg-hover",
        danger: "bg-danger text-danger-foreground hover:bg-danger-hover",
        "danger-ghost": "text-danger-text hover:bg-danger-soft",
        link: "text-primary-text underline-offset-4 hover:underline",
      },
      size: {
        sm: "h-7 px-2 text-sm",
        md: "h-8 px-3 text-base",
        lg: "h-10 px-4 text-base",
        icon: "size-8",
        "icon-sm": "size-7",
      },
    },
    compoundVariants: [{ variant: "link", className: "h-auto px-0" }],
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof buttonVariants> & {
    /** Renders its only child (a link, say) with the look of a button. */
    asChild?: boolean;
    /** Shows a spinner in place of the label and refuses clicks; focus and width stay. */
    loading?: boolean;
  };

export function Button({ className, variant, size, asChild, loading, children, type, ...props }: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size }), className);
  if (asChild) {
    return (
      <Slot className={classes} {...props}>
        {children}
      </Slot>
    );
  }
  if (loading === undefined) {
    return (
      <button type={type ?? "button"} className={classes} {...props}>
        {children}
      </button>
    );
  }
  return (
    <button
      type={type ?? "button"}
      className={classes}
      {...props}
      {...(loading ? { "aria-busy": true, "aria-disabled": true, onClick: refuse } : {})}
    >
      <span className={cn("inline-flex items-center justify-center gap-1.5", loading && "opacity-0")}>{children}</span>
      {loading ? (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      ) : null}
    </button>
  );
}

function refuse(event: MouseEvent) {
  event.preventDefault();
}
