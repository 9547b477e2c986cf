"use client";

import { toastProblem } from "#components/records/toast-problem.ts";
import { toast } from "#components/ui/toaster.tsx";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import { ShareSelect } from "./share-select.tsx";

type OthersSeeProps = {
  /** Of which mailbox or calendar. */
  name: string;
  share: ShareLevel;
  ceiling: ShareLevel;
  words: Readonly<Record<ShareLevel, { label: string; hint: string }>>;
  disabled: boolean;
  onShare: (share: ShareLevel) => Promise<unknown>;
};

/** How much the others see of a mailbox or calendar, changed in place. */
export function OthersSee({ name, share, ceiling, words, disabled, onShare }: OthersSeeProps) {
  const choose = (next: ShareLevel) =>
    void onShare(next).then(
      () => toast.success(`Others can now see: ${words[next].label.toLowerCase()}.`),
      toastProblem,
    );
  return (
    <span className="flex min-w-60 flex-1 flex-wrap items-center gap-2">
      <span className="text-muted-foreground text-sm">Others can see</span>
      <ShareSelect
        aria-label={`What others can see from ${name}`}
        words={words}
        value={share}
        ceiling={ceiling}
        onChange={choose}
        disabled={disabled}
        size="sm"
        className="w-36"
      />
      <span className="text-muted-foreground text-sm">{words[share].hint}</span>
    </span>
  );
}
