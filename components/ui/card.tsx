import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn.ts";

export function Card({ className, ...props }: ComponentProps<"section">) {
  return <section className={cn("min-w-0 rounded-lg border bg-card", className)} {...props} />;
}

export type CardHeaderProps = {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** Beside the title: a badge, a count. */
  aside?: ReactNode;
  titleId?: string;
  className?: string;
};

export function CardHeader({ title, description, actions, aside, titleId, className }: CardHeaderProps) {
  return (
    <div className={cn("flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2", className)}>
      <div className={cn("min-w-0 flex-1", description ? "basis-56" : "basis-32")}>
        <div className="flex flex-wrap items-center gap-2">
          <h2 id={titleId} className="wrap-anywhere min-w-0 font-semibold text-base">
            {title}
          </h2>
          {aside}
        </div>
        {description ? <p className="wrap-anywhere text-muted-foreground text-sm">{description}</p> : null}
      </div>
      {actions ? <div className="flex items-center gap-2">{actions}</div> : null}
    </div>
  );
}

export function CardBody({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("border-t px-4 py-3", className)} {...props} />;
}

export function CardFooter({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      className={cn("flex flex-wrap items-center gap-2 border-t px-4 py-2 text-muted-foreground text-sm", className)}
      {...props}
    />
  );
}
