import type { ReactNode } from "react";

export type AuthCardProps = { title: ReactNode; description?: ReactNode; footer?: ReactNode; children?: ReactNode };

/** One question on its own page: sign in, sign up, choose a password. */
export function AuthCard({ title, description, footer, children }: AuthCardProps) {
  return (
    <>
      <div className="flex flex-col gap-5 sm:rounded-lg sm:border sm:bg-card sm:p-6">
        <header>
          <h1 className="text-balance font-semibold text-xl tracking-tight">{title}</h1>
          {description ? <p className="mt-1 text-pretty text-muted-foreground">{description}</p> : null}
        </header>
        {children}
      </div>
      {footer ? <p className="text-pretty text-muted-foreground text-sm sm:px-6">{footer}</p> : null}
    </>
  );
}
