import type { ReactNode } from "react";
import { cn } from "./cn.ts";
import { CodeBlock } from "./code-block.tsx";
import { onDemand } from "./on-demand.tsx";

const LookAround = onDemand("Sample data", () =>
  import("#components/sample-data/look-around.tsx").then((module) => module.LookAround),
);

export type EmptyStateProps = {
  icon?: ReactNode;
  /** One sentence: what this place is for. */
  children: ReactNode;
  /** The next step: a Button. */
  action?: ReactNode;
  /** What an agent could send to fill it. */
  example?: { label: string; code: string };
  /** Offers sample data beside the action, while the workspace has none. */
  sample?: boolean;
  className?: string;
};

export function EmptyState({ icon, children, action, example, sample = false, className }: EmptyStateProps) {
  return (
    <div className={cn("flex flex-col items-start gap-3 px-4 py-5", className)}>
      <div className="flex max-w-prose gap-2.5">
        {icon ? (
          <span aria-hidden="true" className="flex h-5 items-center text-muted-foreground [&_svg]:size-4">
            {icon}
          </span>
        ) : null}
        <p className="text-pretty text-muted-foreground">{children}</p>
      </div>
      {sample ? (
        <div className="flex flex-wrap gap-2">
          {action}
          <LookAround />
        </div>
      ) : (
        action
      )}
      {example ? <CodeBlock title={example.label} code={example.code} className="w-full max-w-2xl" /> : null}
    </div>
  );
}
