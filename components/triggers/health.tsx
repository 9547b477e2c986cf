import { numeral } from "#components/ui/numbers.ts";
import { HOUR_MS } from "#lib/text/time.ts";
import type { TriggerSummary } from "./calls.ts";

const HOURS = 24;
const BAR = 3;
const GAP = 1;
const HEIGHT = 20;

type HealthProps = { health: TriggerSummary["health"]; now: number };

/** Deliveries of the last 24 hours, a bar for each: what was accepted below, what failed on top. */
export function Health({ health, now }: HealthProps) {
  const [delivered, failed] = [sum(health.map((hour) => hour.delivered)), sum(health.map((hour) => hour.failed))];
  const words =
    delivered + failed === 0
      ? "Nothing sent in 24 hours"
      : `${numeral(delivered)} delivered, ${numeral(failed)} failed in 24 hours`;
  const first = Math.floor(now / HOUR_MS) - HOURS + 1;
  const hours = Array.from({ length: HOURS }, (_, place) => first + place);
  const most = Math.max(1, ...health.map((hour) => hour.delivered + hour.failed));
  const scale = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT));
  return (
    <span className="inline-flex items-center gap-2">
      <svg
        aria-hidden="true"
        width={HOURS * (BAR + GAP)}
        height={HEIGHT}
        viewBox={`0 0 ${HOURS * (BAR + GAP)} ${HEIGHT}`}
        className="shrink-0"
      >
        {hours.map((number, place) => {
          const hour = health.find((each) => Math.floor(Date.parse(each.hour) / HOUR_MS) === number);
          const x = place * (BAR + GAP);
          const [good, bad] = [scale(hour?.delivered ?? 0), scale(hour?.failed ?? 0)];
          return (
            <g key={number}>
              {hour ? null : <rect x={x} y={HEIGHT - 1} width={BAR} height={1} className="fill-border-strong" />}
              <rect x={x} y={HEIGHT - good} width={BAR} height={good} className="fill-success" />
              <rect x={x} y={Math.max(0, HEIGHT - good - bad)} width={BAR} height={bad} className="fill-danger" />
            </g>
          );
        })}
      </svg>
      <span className="text-muted-foreground text-sm">{words}</span>
    </span>
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
