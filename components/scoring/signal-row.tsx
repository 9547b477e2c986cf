import { X } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { Select } from "#components/ui/select.tsx";
import type { Op } from "#lib/domain/knowledge/scoring/contract.ts";
import { type DraftProblem, featureWords, opWords, type SignalDraft, takes } from "./draft.ts";

type SignalRowProps = {
  signal: SignalDraft;
  /** Of how many people its feature is known, and how many meet it, by the last preview. */
  reach: { met: number; known: number; examined: number } | undefined;
  problem: DraftProblem | undefined;
  onChange: (change: Partial<SignalDraft>) => void;
  onRemove: () => void;
};

const OWN = "own";
const features = [
  ...Object.entries(featureWords).map(([value, label]) => ({ value, label })),
  { value: OWN, label: "A property…" },
];
const ops = (Object.entries(opWords) as [Op, string][]).map(([value, label]) => ({ value, label }));

const hints = {
  list: "fintech, banking",
  text: "Acme",
  number: "50",
  range: "10, 500",
  nothing: "",
} as const;

/** One signal: its name, what it looks for, and how much it counts. */
export function SignalRow({ signal, reach, problem, onChange, onRemove }: SignalRowProps) {
  const { label, weight, feature, op, value, disqualify } = signal;
  const name = label.trim() || "New signal";
  const isOwn = !(feature in featureWords);
  const kind = takes(op);
  return (
    <li aria-label={name} className="flex flex-col gap-3 border-t px-4 py-3">
      <div className="flex items-start gap-2">
        <Field label="Name" hideLabel error={problem?.label} className="flex-1">
          <Input
            value={label}
            maxLength={120}
            placeholder="What it is called in explanations"
            autoFocus={label === ""}
            onChange={({ target }) => onChange({ label: target.value })}
            autoComplete="off"
          />
        </Field>
        <IconButton data-writes label={`Remove ${name}`} onClick={onRemove}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <div className="grid gap-2 sm:grid-cols-[11rem_10rem_minmax(0,1fr)]">
        <div className="flex flex-col gap-2">
          <Select
            aria-label={`${name}: looks at`}
            options={features}
            value={isOwn ? OWN : feature}
            onValueChange={(next) => onChange({ feature: next === OWN ? "company." : next })}
          />
          {isOwn ? (
            <Field label="Property" hideLabel error={problem?.feature}>
              <Input
                className="font-mono text-sm"
                value={feature}
                placeholder="company.funding_stage"
                onChange={({ target }) => onChange({ feature: target.value })}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            </Field>
          ) : null}
        </div>
        <Select
          aria-label={`${name}: compares`}
          options={ops}
          value={op}
          onValueChange={(next) =>
            onChange({ op: next, value: next === "exists" ? "yes" : op === "exists" ? "" : value })
          }
        />
        {kind === "nothing" ? (
          <Select
            aria-label={`${name}: known`}
            options={[
              { value: "yes", label: "Yes" },
              { value: "no", label: "No" },
            ]}
            value={value === "no" ? "no" : "yes"}
            onValueChange={(next) => onChange({ value: next })}
          />
        ) : (
          <Field label="Value" hideLabel error={problem?.value}>
            <Input
              value={value}
              placeholder={hints[kind]}
              onChange={({ target }) => onChange({ value: target.value })}
              autoComplete="off"
            />
          </Field>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <label className="flex min-w-60 flex-1 items-center gap-3">
          <span className="text-muted-foreground text-sm">Weight</span>
          <input
            type="range"
            min={-10}
            max={10}
            step={0.5}
            value={weight}
            aria-label={`${name}: weight`}
            aria-valuetext={weightWords(weight)}
            onChange={({ target }) => onChange({ weight: Number(target.value) })}
            className="range h-6 min-w-0 flex-1"
          />
          <Badge
            tone={weight > 0 ? "success" : weight < 0 ? "danger" : "neutral"}
            className="min-w-12 justify-center tabular-nums"
          >
            {signed(weight)}
          </Badge>
        </label>
        <Checkbox
          label="Rules out"
          checked={disqualify}
          onCheckedChange={(checked) => onChange({ disqualify: checked === true })}
        />
        {reach ? (
          <span className="text-muted-foreground text-sm">
            Met by {numeral(reach.met)} of {numeral(reach.examined)}
            {reach.known === 0 ? ", known of no one" : ""}
          </span>
        ) : null}
      </div>
    </li>
  );
}

export const signed = (points: number): string =>
  points > 0 ? `+${points}` : points < 0 ? `−${Math.abs(points)}` : "0";

const weightWords = (weight: number): string =>
  weight === 0 ? "0, does not count" : `${Math.abs(weight)} ${weight > 0 ? "for" : "against"}`;
