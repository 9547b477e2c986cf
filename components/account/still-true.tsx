"use client";

import { useState } from "react";
import { wordsOf } from "#components/records/names.ts";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";

type StillTrueProps = { property: string; onConfirm: () => Promise<void>; className?: string };

/** Says that a fact was checked now and still holds. In a row it appears when the row is pointed at or focused. */
export function StillTrue({ property, onConfirm, className }: StillTrueProps) {
  const [busy, setBusy] = useState(false);
  async function confirm() {
    setBusy(true);
    await onConfirm().finally(() => setBusy(false));
  }
  return (
    <Button
      size="sm"
      variant="ghost"
      loading={busy}
      aria-label={`Still true: ${wordsOf(property)}`}
      onClick={() => void confirm()}
      className={cn(
        "z-1 w-fit bg-card text-primary-text md:opacity-0 md:focus-visible:opacity-100 md:group-focus-within/fact:opacity-100 md:group-hover/fact:opacity-100",
        className,
      )}
    >
      Still true
    </Button>
  );
}
