import { TriangleAlert } from "lucide-react";

/** Says above a secret that this is the only time to copy it. */
export function CopyNow({ children }: { children: string }) {
  return (
    <p className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
