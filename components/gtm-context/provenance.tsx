"use client";

import { Check } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { methodWords, sourceWords } from "#components/records/names.ts";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Popover, PopoverAnchor, PopoverContent } from "#components/ui/popover.tsx";
import { Meter } from "#components/ui/progress.tsx";
import type { EntryVersion } from "#lib/domain/records/facts/contract.ts";
import { focusPanel } from "./focus.ts";

const freshness: Record<EntryVersion["freshness"], string> = {
  fresh: "fresh, under 30 days",
  aging: "aging, 30 to 90 days",
  suspect: "suspect, 90 to 180 days",
  expired: "expired, over 180 days",
};

export type ProvenanceProps = {
  fact: EntryVersion;
  anchor: RefObject<HTMLButtonElement>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
};

/** Where an entry comes from and how far it can be trusted. */
export function Provenance({ fact, anchor, open, onOpenChange, onConfirm }: ProvenanceProps) {
  return (
    <Popover open={open} onOpenChange={onOpenChange}>
      <PopoverAnchor virtualRef={anchor} />
      <PopoverContent
        aria-label="Where this comes from"
        className="w-80"
        onOpenAutoFocus={focusPanel}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          anchor.current.focus();
        }}
        onInteractOutside={(event) => {
          if (anchor.current.contains(event.target as Node)) event.preventDefault();
        }}
      >
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1.5 text-sm">
          <Row name="Source">{sourceWords(fact.source)}</Row>
          <Row name="How we know">{methodWords[fact.epistemic_class]}</Row>
          <Row name="Recorded">
            <RelativeTime value={fact.recorded_at} />
          </Row>
          <Row name="Last confirmed">
            <RelativeTime value={fact.last_observed_at} />
          </Row>
          <Row name="Freshness">{freshness[fact.freshness]}</Row>
          <Row name="Confidence">
            <span className="flex items-center gap-2">
              <Meter value={fact.confidence} label="Confidence" tone={fact.confidence < 0.5 ? "warning" : "success"} />
              {Math.round(fact.confidence * 100)}%
            </span>
          </Row>
          <Row name="Fact id">
            <span className="flex min-w-0 items-center gap-1">
              <code className="truncate font-mono text-xs">{fact.id}</code>
              <CopyButton value={fact.id} label="Copy fact id" size="sm" />
            </span>
          </Row>
        </dl>
        <div className="-mx-3 mt-2 border-t px-3 pt-3">
          <Button
            size="sm"
            onClick={() => {
              onConfirm();
              onOpenChange(false);
            }}
          >
            <Check aria-hidden="true" /> Still true
          </Button>
        </div>
      </PopoverContent>
    </Popover>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
