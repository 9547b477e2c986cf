"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";

/** A longer entry is folded. */
const foldedLines = 12;
const lineLength = 90;

export function Statement({ content, className }: { content: string; className?: string }) {
  const [unfolded, setUnfolded] = useState(false);
  const isLong = content.split("\n").reduce((lines, line) => lines + 1 + line.length / lineLength, 0) > foldedLines + 2;
  return (
    <div className={className}>
      <p
        className={cn(
          "wrap-anywhere max-w-prose whitespace-pre-wrap text-pretty",
          isLong && !unfolded && "line-clamp-12",
        )}
      >
        {content}
      </p>
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
