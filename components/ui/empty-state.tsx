import type { ReactNode } from "react";
import { cn } from "./cn.ts";
import { CodeBlock } from "./code-block.tsx";

export type EmptyStateProps = {
  icon?: ReactNode;
  /** One sentence: what this place is for. */
  children: ReactNode;
  /** The next step: a Button. */
  action?: ReactNode;
  /** What an agent could send to fill it. */
  example?: { label: string; code: string };
  /** More beside the action. */
  also?: ReactNode;
  className?: string;
};

export function EmptyState({ icon, children, action, example, also, className }: EmptyStateProps) {
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
      {also ? (
        <div className="flex flex-wrap gap-2">
          {action}
          {also}
        </div>
      ) : (
        action
      )}
      {example ? <CodeBlock title={example.label} code={example.code} className="w-full max-w-2xl" /> : null}
    </div>
  );
}
