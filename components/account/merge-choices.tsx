import { TriangleAlert } from "lucide-react";
import { inSentence, wordsOf } from "#components/records/names.ts";
import { useRecordName } from "#components/records/record-name.ts";
import { cn } from "#components/ui/cn.ts";
import { LocalTimes } from "#components/ui/local-times.tsx";
import { counted } from "#components/ui/numbers.ts";
import type { MergeFields, MergePreview } from "./calls.ts";
import { isIdentifierKind } from "./identifier-kinds.ts";
import { factOrder, valueWords } from "./value-words.ts";

type Side = "keep" | "drop";
type Conflict = MergePreview["conflicts"][number];

type MergeChoicesProps = {
  workspaceId: string;
  preview: MergePreview;
  fields: MergeFields;
  onPick: (property: string, side: Side) => void;
};

/** What a merge would do, and one choice for each property in which the two differ. */
export function MergeChoices({ workspaceId, preview, fields, onPick }: MergeChoicesProps) {
  const { moves, conflicts, in_common, keep, drop } = preview;
  return (
    <>
      {in_common.length === 0 ? (
        <p className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span>These two have nothing in common: no name, company, phone number or address.</span>
        </p>
      ) : (
        <p>In common: {in_common.map((each) => commonWords[each]).join(", ")}.</p>
      )}
      <p>
        {counted(moves.identifiers, "identifier")} and {counted(moves.observations, "piece")} of evidence move over,
        with notes and timeline.
      </p>
      {conflicts.length === 0 ? (
        <p className="text-muted-foreground">They have no conflicting values.</p>
      ) : (
        <section aria-label="What the two differ in" className="flex flex-col gap-3">
          <h3 className="font-semibold">Choose the right value</h3>
          {conflicts
            .toSorted((a, b) => factOrder(a.property, b.property))
            .map((conflict) => (
              <Choice
                key={conflict.property}
                workspaceId={workspaceId}
                conflict={conflict}
                names={{ keep: keep.name ?? "Stays", drop: drop.name ?? "Goes" }}
                chosen={fields[conflict.property] ?? conflict.suggested}
                onPick={(side) => onPick(conflict.property, side)}
              />
            ))}
        </section>
      )}
    </>
  );
}

const commonWords: Readonly<Record<MergePreview["in_common"][number], string>> = {
  name: "the name",
  company: "the company",
  phone: "the phone number",
  identifier: "an address",
};

type ChoiceProps = {
  workspaceId: string;
  conflict: Conflict;
  names: Readonly<Record<Side, string>>;
  chosen: Side;
  onPick: (side: Side) => void;
};

function Choice({ workspaceId, conflict, names, chosen, onPick }: ChoiceProps) {
  const { property } = conflict;
  return (
    <fieldset className="grid min-w-0 grid-cols-2 gap-2">
      <legend className="pb-1 text-muted-foreground text-sm">
        {/* Both addresses are kept; one is the primary. */}
        {isIdentifierKind(property) ? `Primary ${inSentence(wordsOf(property))}` : wordsOf(property)}
      </legend>
      {(["keep", "drop"] as const).map((side) => (
        <label
          key={side}
          className={cn(
            "flex min-w-0 cursor-pointer items-start gap-2 rounded-md border px-3 py-2 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-ring",
            chosen === side && "border-primary bg-primary-soft hover:bg-primary-soft",
          )}
        >
          <input
            type="radio"
            name={`merge-${property}`}
            checked={chosen === side}
            onChange={() => onPick(side)}
            className="mt-1 shrink-0 accent-primary"
          />
          <span className="min-w-0">
            <span className="wrap-anywhere line-clamp-4 font-medium">
              <ValueOf workspaceId={workspaceId} property={property} value={conflict[side]} />
            </span>
            <span className="block truncate text-muted-foreground text-sm">{names[side]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** `works_at` holds the id of a company, which has a name. */
function ValueOf({ workspaceId, property, value }: { workspaceId: string; property: string; value: unknown }) {
  const company = useRecordName(workspaceId, property === "works_at" && typeof value === "string" ? value : null);
  return property === "works_at" ? (company ?? "…") : <LocalTimes>{valueWords(property, value)}</LocalTimes>;
}
