"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { clip } from "#lib/text/clip.ts";
import { MOST } from "./settled.ts";

export type DisputeValue = string | number | boolean | (string | number | boolean)[];

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** Values of other kinds are settled on the record's page. */
const canBeChosen = (value: unknown): value is DisputeValue =>
  isPlain(value) || (Array.isArray(value) && value.length > 0 && value.every(isPlain));

type SettleDisputeProps = {
  /** What is believed now. */
  value: unknown;
  /** What disagrees, the same value perhaps from several sources. */
  rivals: readonly unknown[];
  wordsOf: (value: unknown) => string;
  /** Reports its own failure. */
  onSettle: (value: DisputeValue) => Promise<void>;
  className?: string;
};

/** A dispute is settled in one click: use a value that disagrees, or keep the present one. */
export function SettleDispute({ value, rivals, wordsOf, onSettle, className }: SettleDisputeProps) {
  const [busy, setBusy] = useState<string | null>(null);
  const offered = [...new Map(rivals.filter(canBeChosen).map((rival) => [JSON.stringify(rival), rival]))].slice(
    0,
    MOST,
  );
  if (offered.length === 0 || !canBeChosen(value)) return null;
  const settle = async (key: string, chosen: DisputeValue) => {
    setBusy(key);
    await onSettle(chosen).finally(() => setBusy(null));
  };
  const button = (verb: string, key: string, chosen: DisputeValue) => (
    <Button
      key={`${verb} ${key}`}
      size="sm"
      loading={busy === `${verb} ${key}`}
      disabled={busy !== null && busy !== `${verb} ${key}`}
      title={`${verb} ${wordsOf(chosen)}`}
      className="max-w-full"
      onClick={() => void settle(`${verb} ${key}`, chosen)}
    >
      <span className="truncate">
        {verb} {clip(wordsOf(chosen), 48)}
      </span>
    </Button>
  );
  return (
    <span data-writes className={cn("flex min-w-0 flex-wrap gap-1.5", className)}>
      {offered.map(([key, rival]) => button("Use", key, rival))}
      {button("Keep", JSON.stringify(value), value)}
    </span>
  );
}
