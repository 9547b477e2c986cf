import { ChevronRight } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "./cn.ts";

const widths = { text: "max-w-3xl", wide: "max-w-6xl", full: "max-w-none" };

export type PageProps = { width?: keyof typeof widths; className?: string; children: ReactNode };

/** The column a page sits in: `text` for forms and reading, `wide` for most, `full` for big tables. */
export function Page({ width = "wide", className, children }: PageProps) {
  return <div className={cn("mx-auto flex w-full flex-col gap-5", widths[width], className)}>{children}</div>;
}

export type PageHeaderProps = {
  /** The noun. */
  title: ReactNode;
  /** One sentence. */
  description?: ReactNode;
  actions?: ReactNode;
  /** The breadcrumbs to this page; the last one has no href. */
  breadcrumbs?: readonly { label: ReactNode; href?: string }[];
  /** Beside the title: a badge, a gauge. */
  aside?: ReactNode;
};

export function PageHeader({ title, description, actions, breadcrumbs, aside }: PageHeaderProps) {
  return (
    <header className="flex flex-col gap-2">
      {breadcrumbs?.length ? (
        <nav aria-label="Breadcrumbs">
          <ol className="flex flex-wrap items-center gap-1 text-muted-foreground text-sm">
            {breadcrumbs.map((crumb, depth) => (
              <li key={crumb.href ?? `here-${depth}`} className="flex min-w-0 items-center gap-1">
                {depth > 0 ? <ChevronRight aria-hidden="true" className="size-3.5 shrink-0" /> : null}
                {crumb.href ? (
                  <Link href={crumb.href} className="truncate rounded-xs leading-6 hover:text-foreground">
                    {crumb.label}
                  </Link>
                ) : (
                  <span aria-current="page" className="truncate">
                    {crumb.label}
                  </span>
                )}
              </li>
            ))}
          </ol>
        </nav>
      ) : null}
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-2.5">
            <h1 className="wrap-anywhere min-w-0 text-balance font-semibold text-xl tracking-tight">{title}</h1>
            {aside}
          </div>
          {description ? (
            <p className="wrap-anywhere mt-0.5 max-w-prose text-pretty text-muted-foreground">{description}</p>
          ) : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </div>
    </header>
  );
}
