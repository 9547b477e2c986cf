import { Card, CardHeader } from "#components/ui/card.tsx";
import { Segments } from "#components/ui/segments.tsx";
import type { Import } from "./calls.ts";
import { ListOption } from "./list-option.tsx";
import { Option } from "./option.tsx";
import { PhoneOption } from "./phone-option.tsx";
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

type OptionsProps = { workspaceId: string; record: Import; patch: ChangeImport };

/** What happens to records that exist, and to those that do not. */
export function Options({ workspaceId, record, patch }: OptionsProps) {
  const { kind, policy, create } = record;
  const isAbout = kind === "notes" || kind === "activities";
  return (
    <Card aria-labelledby="import-options">
      <CardHeader titleId="import-options" title="Options" />
      <div className="flex flex-col divide-y border-t">
        {isAbout ? null : (
          <Option question="The record already has a value" hint={policyHints[policy]}>
            <Segments
              label="The record already has a value"
              segments={policies}
              value={policy}
              onValue={(next) => patch({ policy: next }, { policy: next })}
            />
          </Option>
        )}
        <Option
          question={isAbout ? "The person or company is new" : "A record is new"}
          hint={create ? "Rows about unknown records create them." : "Only records that you have are updated."}
        >
          <Segments
            label={isAbout ? "The person or company is new" : "A record is new"}
            segments={creations}
            value={create ? "create" : "skip"}
            onValue={(next) => patch({ create: next === "create" }, { create: next === "create" })}
          />
        </Option>
        {kind === "people" ? <PhoneOption record={record} patch={patch} /> : null}
        {kind === "people" ? <ListOption workspaceId={workspaceId} record={record} patch={patch} /> : null}
      </div>
    </Card>
  );
}
