import { cn } from "./cn.ts";
import { CopyButton } from "./copy-button.tsx";

export type CodeBlockProps = {
  code: string;
  /** A line above: a file name, what the command does. */
  title?: string;
  /** Wraps long lines instead of scrolling. */
  wrap?: boolean;
  /** What is copied, when it differs from what is shown (a masked secret, say). */
  copyValue?: string;
  className?: string;
};

export function CodeBlock({ code, title, wrap, copyValue, className }: CodeBlockProps) {
  const copy = <CopyButton value={copyValue ?? code} label={title ? `Copy: ${title}` : "Copy code"} size="sm" />;
  return (
    <figure
      className={cn("group/code min-w-0 rounded-md border bg-muted text-sm", !title && "flex items-start", className)}
    >
      {title ? (
        <figcaption className="flex h-9 items-center justify-between gap-2 border-b pr-1 pl-3 text-muted-foreground">
          <span className="truncate">{title}</span>
          {copy}
        </figcaption>
      ) : null}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        className={cn(
          "min-w-0 flex-1 overflow-x-auto rounded-md px-3 py-2 font-mono leading-5 focus-visible:-outline-offset-2",
          wrap && "wrap-anywhere whitespace-pre-wrap",
        )}
      >
        <code>{code}</code>
      </pre>
      {title ? null : <div className="shrink-0 p-1">{copy}</div>}
    </figure>
  );
}
