import { Field } from "#components/ui/field.tsx";
import { RadioGroup } from "#components/ui/radio-group.tsx";

export type KeepOrRemove = "keep" | "remove";

type KeepOrRemoveFieldProps = {
  /** Which mail or meetings, and how many. */
  label: string;
  /** What a colleague may have too, such as "mailbox". */
  kind: string;
  value: KeepOrRemove;
  onChange: (kept: KeepOrRemove) => void;
  mayKeep?: boolean;
};

/** Asks what becomes of what came through mailboxes or calendars. */
export function KeepOrRemoveField({ label, kind, value, onChange, mayKeep = true }: KeepOrRemoveFieldProps) {
  return (
    <Field label={label}>
      <RadioGroup<KeepOrRemove>
        value={value}
        onValueChange={onChange}
        options={[
          { value: "keep", label: "Keep", hint: "Seen by the same people as now.", disabled: !mayKeep },
          {
            value: "remove",
            label: "Remove",
            hint: `Their activities leave the timelines too. What a colleague's ${kind} also has stays.`,
          },
        ]}
      />
    </Field>
  );
}
