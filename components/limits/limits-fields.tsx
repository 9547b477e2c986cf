import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { kindWords, type RecordKind, recordKinds } from "#lib/core/limits.ts";

/** Limits while they are being chosen. `hidden`: names with commas between. */
export type LimitsDraft = { kinds: readonly RecordKind[]; hidden: string };

export const noLimitsDraft: LimitsDraft = { kinds: [], hidden: "" };

export const draftOf = ({ kinds, hidden_fields }: { kinds: RecordKind[]; hidden_fields: string[] }): LimitsDraft => ({
  kinds,
  hidden: hidden_fields.join(", "),
});

/** As operations take them. */
export const limitsOfDraft = ({ kinds, hidden }: LimitsDraft) => ({
  kinds: [...kinds],
  hidden_fields: hidden.split(/[\s,]+/).filter(Boolean),
});

type LimitsFieldsProps = {
  value: LimitsDraft;
  onChange: (next: LimitsDraft) => void;
  /** What is wrong with the hidden fields. */
  error?: string | undefined;
};

/** Which records a key or client reaches, and what it does not see of them. */
export function LimitsFields({ value, onChange, error }: LimitsFieldsProps) {
  const toggle = (kind: RecordKind, chosen: boolean) =>
    onChange({ ...value, kinds: recordKinds.filter((each) => (each === kind ? chosen : value.kinds.includes(each))) });
  return (
    <>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 font-medium text-sm">Only these records</legend>
        <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
          {recordKinds.map((kind) => (
            <Checkbox
              key={kind}
              label={kindWords[kind]}
              checked={value.kinds.includes(kind)}
              onCheckedChange={(chosen) => toggle(kind, chosen)}
            />
          ))}
        </div>
        <p className="text-muted-foreground text-sm">
          {value.kinds.length === 0 ? "None chosen: all of them." : "Requests for anything else are refused."}
        </p>
      </fieldset>
      <Field
        label="Hidden fields"
        hint="The field phone, and names of custom properties, separated by commas. Requests that could reveal them, such as exports, are refused too."
        error={error}
        optional
      >
        <Input
          value={value.hidden}
          onChange={(event) => onChange({ ...value, hidden: event.target.value })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
    </>
  );
}

/** One line about what a key or client is kept from; null where there is nothing. */
export function limitsText({ kinds, hidden_fields }: { kinds: readonly RecordKind[]; hidden_fields: string[] }) {
  const only = kinds.length > 0 ? `Only ${kinds.map((kind) => kindWords[kind]).join(", ")}` : null;
  const without = hidden_fields.length > 0 ? `without ${hidden_fields.join(", ")}` : null;
  if (only === null && without === null) return null;
  return only === null ? `All ${without}` : [only, without].filter(Boolean).join(", ");
}
