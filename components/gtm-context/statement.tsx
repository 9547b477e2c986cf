"use client";

import { createContext, type MouseEvent, type ReactNode, useContext, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { onDemand } from "#components/ui/on-demand.tsx";

/** A longer entry is folded. */
const foldedLines = 12;
const lineLength = 90;

/** Texts that the server formatted, so that the page needs no Markdown parser before it is used. */
const Written = createContext<ReadonlyMap<string, ReactNode>>(new Map());

type WrittenTextsProps = {
  entries: readonly { id: string; content: string }[];
  /** By the id of the entry. */
  formatted: Readonly<Record<string, ReactNode>>;
  children: ReactNode;
};

export function WrittenTexts({ entries, formatted, children }: WrittenTextsProps) {
  const [texts] = useState(() => new Map(entries.map(({ id, content }) => [content, formatted[id]])));
  return <Written value={texts}>{children}</Written>;
}

const Markdown = onDemand<{ text: string; question: string }>(
  "The formatted text",
  () => import("#components/notes/markdown.tsx").then((module) => module.Markdown),
  { loading: ({ text }) => <p className="wrap-anywhere whitespace-pre-wrap leading-6">{text}</p> },
);

type StatementProps = {
  content: string;
  className?: string;
  /** Called when the text is clicked, unless a link was meant or text was selected. */
  onEdit?: (() => void) | undefined;
};

/** The text of an entry, its Markdown formatted. */
export function Statement({ content, className, onEdit }: StatementProps) {
  const [unfolded, setUnfolded] = useState(false);
  const written = useContext(Written).get(content);
  const isLong = content.split("\n").reduce((lines, line) => lines + 1 + line.length / lineLength, 0) > foldedLines + 2;
  const isFolded = isLong && !unfolded;
  return (
    <div className={className}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: keyboards have the Edit button and the key e */}
      <div
        data-writes={onEdit ? "shown" : undefined}
        onClick={onEdit ? (event) => (wantsEdit(event) ? onEdit() : undefined) : undefined}
        className={cn(
          "max-w-prose text-pretty",
          onEdit && "-mx-2 -my-1 cursor-text rounded-md px-2 py-1 transition-colors hover:bg-hover",
          isFolded && "max-h-74 overflow-hidden mask-b-from-75%",
        )}
      >
        {written ?? <Markdown text={content} question="" />}
      </div>
      {isLong ? (
        <Button
          variant="link"
          size="sm"
          aria-expanded={unfolded}
          onClick={() => setUnfolded(!unfolded)}
          className="mt-1"
        >
          {unfolded ? "Show less" : "Show all"}
        </Button>
      ) : null}
    </div>
  );
}

const wantsEdit = ({ target, button }: MouseEvent): boolean =>
  button === 0 && !(target as Element).closest("a, button") && window.getSelection()?.isCollapsed !== false;
