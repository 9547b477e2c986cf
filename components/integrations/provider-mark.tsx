import type { ReactNode } from "react";
import { own } from "#lib/text/own.ts";

/** Our own drawings of what each system is for, 20 units wide; no provider's logo is used. */
const drawings: Readonly<Record<string, ReactNode>> = {
  // a page of a calendar with a time that is taken
  cal_com: (
    <>
      <rect x="3" y="4.5" width="14" height="12.5" rx="2" />
      <path d="M3 8.5h14M7 2.75v3M13 2.75v3" />
      <path d="m7.75 12.75 1.75 1.75 3-3.25" />
    </>
  ),
  // a voice, recorded
  fathom: <path d="M3 8.75v2.5M6.5 6.5v7M10 3.5v13M13.5 6.5v7M17 8.75v2.5" />,
  // people around one desk
  hubspot: (
    <>
      <circle cx="10" cy="10" r="2.75" />
      <circle cx="4.25" cy="5" r="1.75" />
      <circle cx="15.75" cy="5" r="1.75" />
      <circle cx="10" cy="16.75" r="1.5" />
      <path d="m5.6 6.2 2.3 2M14.4 6.2l-2.3 2M10 12.75v2.5" />
    </>
  ),
  // a table whose rows are linked
  attio: (
    <>
      <rect x="3" y="3.5" width="9" height="5" rx="1.5" />
      <rect x="8" y="11.5" width="9" height="5" rx="1.5" />
      <path d="M5.5 8.5v3.25A2.25 2.25 0 0 0 7.75 14H8" />
    </>
  ),
};

/** A plug, for a system without a drawing. */
const plug = <path d="M7 3v4M13 3v4M5 7h10v2.5a5 5 0 0 1-10 0ZM10 14.5V17" />;

/** The mark of a provider, beside its name. */
export function ProviderMark({ provider }: { provider: string }) {
  return (
    <span className="grid size-9 shrink-0 place-items-center rounded-md border bg-muted/50">
      <svg
        aria-hidden="true"
        viewBox="0 0 20 20"
        className="size-5 text-foreground"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {own(drawings, provider) ?? plug}
      </svg>
    </span>
  );
}
