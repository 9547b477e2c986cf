import { CircleCheck, CircleX } from "lucide-react";
import type { TestLine } from "./use-connection-test.ts";

/** The result of a test, a line for each part of it. */
export function TestResult({ lines }: { lines: readonly TestLine[] }) {
  return (
    <div
      role="status"
      aria-label="Result of the test"
      className="flex flex-col gap-1.5 border-t px-4 py-2.5 empty:hidden"
    >
      {lines.map(({ what, ok, message: said }) => (
        <p key={what} className="flex items-start gap-2 text-sm">
          {ok ? (
            <CircleCheck aria-label="Works:" className="mt-0.5 size-4 shrink-0 text-success-text" />
          ) : (
            <CircleX aria-label="Failed:" className="mt-0.5 size-4 shrink-0 text-danger-text" />
          )}
          <span className="wrap-anywhere min-w-0 text-pretty">{said}</span>
        </p>
      ))}
    </div>
  );
}
