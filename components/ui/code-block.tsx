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
    <figure className={cn("group/code relative min-w-0 rounded-md border bg-muted text-sm", className)}>
      {title ? (
        <figcaption className="flex h-9 items-center justify-between gap-2 border-b pr-1 pl-3 text-muted-foreground">
          <span className="truncate">{title}</span>
          {copy}
        </figcaption>
      ) : (
        <div className="absolute top-1 right-1 rounded-md bg-muted">{copy}</div>
      )}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        className={cn(
          "overflow-x-auto rounded-md px-3 py-2 font-mono leading-5 focus-visible:-outline-offset-2",
          !title && "pr-10",
          wrap && "wrap-anywhere whitespace-pre-wrap",
        )}
      >
        <code>{code}</code>
      </pre>
    </figure>
  );
}
