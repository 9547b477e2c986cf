import { cn } from "./cn.ts";

type SparklineProps = {
  values: readonly number[];
  /** What it shows, for those who do not see it. */
  label: string;
  className?: string;
};

const BAR = 4;
const GAP = 1;
const HEIGHT = 20;

/** A bar for each number, the oldest first, without axes: for a row of a list. */
export function Sparkline({ values, label, className }: SparklineProps) {
  const most = Math.max(1, ...values);
  const width = values.length * (BAR + GAP) - GAP;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      preserveAspectRatio="none"
      className={cn("shrink-0", className)}
    >
      {values.map((value, place) => {
        const height = value === 0 ? 1 : Math.max(2, (value / most) * HEIGHT);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={place}
            x={place * (BAR + GAP)}
            y={HEIGHT - height}
            width={BAR}
            height={height}
            className={value === 0 ? "fill-border-strong" : "fill-primary"}
          />
        );
      })}
    </svg>
  );
}
