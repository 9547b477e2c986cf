import { cn } from "./cn.ts";

const tones = {
  accent: "bg-primary text-primary",
  success: "bg-success text-success",
  warning: "bg-warning text-warning",
  danger: "bg-danger text-danger",
};

type Share = {
  /** From 0 to `max`. */
  value: number;
  max?: number;
  /** The accessible name. */
  label: string;
  tone?: keyof typeof tones;
  className?: string;
};

/** Something is in progress. */
export const Progress = (share: Share) => <Bar role="progressbar" {...share} />;

/** How full or how good something is: a bar. */
export const Meter = (share: Share) => <Bar role="meter" {...share} />;

function Bar({ role, value, max = 1, label, tone = "accent", className }: Share & { role: "progressbar" | "meter" }) {
  const share = clamp(value / max);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support them
    <div
      role={role}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className={cn("h-1.5 w-full overflow-hidden rounded-full bg-selected", className)}
    >
      <div className={cn("h-full rounded-full", tones[tone])} style={{ width: `${share * 100}%` }} />
    </div>
  );
}

/** The same as a ring with the percentage inside. */
export function Gauge({ value, max = 1, label, tone = "accent", className }: Share) {
  const percent = Math.round(clamp(value / max) * 100);
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> cannot be given this look in every browser
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={cn("relative grid size-12 shrink-0 place-items-center font-medium text-xs", className)}
    >
      <svg viewBox="0 0 36 36" aria-hidden="true" className="absolute inset-0 size-full -rotate-90">
        <circle cx="18" cy="18" r="16" fill="none" strokeWidth="3" className="stroke-selected" />
        <circle
          cx="18"
          cy="18"
          r="16"
          fill="none"
          strokeWidth="3"
          strokeLinecap="round"
          pathLength="100"
          strokeDasharray={`${percent} 100`}
          stroke={percent === 0 ? "none" : "currentColor"}
          className={cn(tones[tone], "bg-transparent")}
        />
      </svg>
      <span>{percent}%</span>
    </div>
  );
}

function clamp(share: number): number {
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}
