import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** What went wrong with a form as a whole; read out when it appears. */
export function FormAlert({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="empty:hidden">
      {children ? (
        <p className="flex items-start gap-2 rounded-md bg-danger-soft px-3 py-2 text-danger-text text-sm">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span>{children}</span>
        </p>
      ) : null}
    </div>
  );
}
