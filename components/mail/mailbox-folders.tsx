"use client";

import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field } from "#components/ui/field.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { RadioGroup } from "#components/ui/radio-group.tsx";
import type { MailFolders } from "./calls.ts";

type MailboxFoldersProps = {
  folders: MailFolders;
  /** none: the usual ones */
  chosen: readonly string[] | null;
  onChange: (chosen: readonly string[] | null) => void;
};

/** Which folders are read: the usual ones, or those that the member chooses. */
export function MailboxFolders({ folders, chosen, onChange }: MailboxFoldersProps) {
  const possible = folders.filter((folder) => folder.may_be_read);
  const usual = possible.filter((folder) => folder.read).map(({ path }) => path);
  const toggle = (path: string, isOn: boolean) =>
    onChange(isOn ? [...(chosen ?? []), path] : (chosen ?? []).filter((one) => one !== path));
  return (
    <>
      <Field label="Folders that are read">
        <RadioGroup<"usual" | "chosen">
          value={chosen === null ? "usual" : "chosen"}
          onValueChange={(value) => onChange(value === "usual" ? null : usual)}
          options={[
            { value: "usual", label: "The usual ones", hint: "Inbox, sent mail and archive." },
            { value: "chosen", label: "Those I choose" },
          ]}
        />
      </Field>
      {chosen === null ? null : (
        <fieldset className="flex max-h-60 flex-col gap-2 overflow-y-auto rounded-md border px-3 py-2">
          <legend className="sr-only">Folders</legend>
          {possible.map(({ path, messages }) => (
            <Checkbox
              key={path}
              checked={chosen.includes(path)}
              onCheckedChange={(isOn) => toggle(path, isOn)}
              label={
                <span className="wrap-anywhere">
                  {path}
                  {messages === null ? null : (
                    <span className="text-muted-foreground tabular-nums"> {numeral(messages)}</span>
                  )}
                </span>
              }
            />
          ))}
        </fieldset>
      )}
    </>
  );
}
