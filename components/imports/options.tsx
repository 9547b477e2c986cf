import type { ReactNode } from "react";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Segments } from "#components/ui/segments.tsx";
import type { Import } from "./calls.ts";
import type { ChangeImport } from "./use-import-changes.ts";

const policies = [
  { value: "fill_blanks", label: "Keep it" },
  { value: "overwrite", label: "Replace it" },
] as const;

const creations = [
  { value: "create", label: "Create it" },
  { value: "skip", label: "Skip the row" },
] as const;

const policyHints = {
  fill_blanks: "The file only fills what is blank.",
  overwrite: "The file's value becomes the current one; the old one stays in the history.",
};

/** What happens to records that exist, and to those that do not. */
export function Options({ record: { kind, policy, create }, patch }: { record: Import; patch: ChangeImport }) {
  return (
    <Card aria-labelledby="import-options">
      <CardHeader titleId="import-options" title="Options" />
      <div className="flex flex-col divide-y border-t">
        {kind === "notes" ? null : (
          <Option question="A record has a value already" hint={policyHints[policy]}>
            <Segments
              label="A record has a value already"
              segments={policies}
              value={policy}
              onValue={(next) => patch({ policy: next }, { policy: next })}
            />
          </Option>
        )}
        <Option
          question={kind === "notes" ? "The person or company of a note is new" : "A record is new"}
          hint={create ? "Rows about unknown records create them." : "Only records that you have are updated."}
        >
          <Segments
            label={kind === "notes" ? "The person or company of a note is new" : "A record is new"}
            segments={creations}
            value={create ? "create" : "skip"}
            onValue={(next) => patch({ create: next === "create" }, { create: next === "create" })}
          />
        </Option>
      </div>
    </Card>
  );
}

function Option({ question, hint, children }: { question: string; hint: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0">
        <p>{question}</p>
        <p className="text-muted-foreground text-sm">{hint}</p>
      </div>
      {children}
    </div>
  );
}
