"use client";

import { useState } from "react";
import { wordsOf } from "#components/records/names.ts";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";

type StillTrueProps = { property: string; onConfirm: () => Promise<void>; className?: string };

/** A button that says that a fact was checked now and still holds. `onConfirm` reports its own failure. */
export function StillTrue({ property, onConfirm, className }: StillTrueProps) {
  const [busy, setBusy] = useState(false);
  async function confirm() {
    setBusy(true);
    await onConfirm().finally(() => setBusy(false));
  }
  return (
    <Button
      data-writes
      size="sm"
      variant="ghost"
      loading={busy}
      aria-label={`Still true: ${wordsOf(property)}`}
      onClick={() => void confirm()}
      className={cn("relative z-1 w-fit text-primary-text", className)}
    >
      Still true
    </Button>
  );
}
