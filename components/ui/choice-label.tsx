"use client";

import { type ReactNode, useId } from "react";

type ChoiceLabelProps = {
  label: ReactNode;
  hint: ReactNode;
  children: (described: { "aria-describedby"?: string; id?: string }) => ReactNode;
};

/** A checkbox, switch or radio with its label beside it; the label is part of the click target. */
export function ChoiceLabel({ label, hint, children }: ChoiceLabelProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  if (!label) return children({});
  return (
    <div className="flex items-start gap-2">
      <span className="flex h-5 items-center">{children({ id, ...(hint ? { "aria-describedby": hintId } : {}) })}</span>
      <span className="min-w-0">
        <label htmlFor={id} className="select-none">
          {label}
        </label>
        {hint ? (
          <span id={hintId} className="block text-muted-foreground text-sm">
            {hint}
          </span>
        ) : null}
      </span>
    </div>
  );
}
