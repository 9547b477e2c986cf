export type LogoProps = { className?: string; wordmark?: boolean };

/** Two voices that overlap. The same drawing is in public/icon.svg. */
export function Logo({ className, wordmark }: LogoProps) {
  const mark = (
    <svg viewBox="0 0 24 24" className={className ?? "size-6 shrink-0"} role="img" aria-label="Rapport">
      <rect width="24" height="24" rx="6" className="fill-primary" />
      <g fill="none" stroke="#fff" strokeWidth="2">
        <circle cx="9.5" cy="12" r="4.5" />
        <circle cx="14.5" cy="12" r="4.5" />
      </g>
    </svg>
  );
  if (!wordmark) return mark;
  return (
    <span className="inline-flex items-center gap-2 font-semibold text-lg tracking-tight">
      {mark}
      <span aria-hidden="true">Rapport</span>
    </span>
  );
}
