"use client";

import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/textarea.tsx";

/** What is read of calendars, in the dialogs that connect and change them. `left`: the addresses of those that are not read. */
export type ReadTerms = { addContacts: boolean; blocked: string; left: ReadonlySet<string> };

type ReadFieldsProps = {
  calendars: readonly { url: string; name: string }[];
  terms: ReadTerms;
  onChange: (change: Partial<ReadTerms>) => void;
};

export function CalendarChoice({ calendars, terms: { left }, onChange }: ReadFieldsProps) {
  if (calendars.length < 2) return null;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium text-sm">Which calendars are read</legend>
      {calendars.map(({ url, name }) => (
        <Checkbox
          key={url}
          label={<span className="wrap-anywhere">{name}</span>}
          checked={!left.has(url)}
          onCheckedChange={(isRead) =>
            onChange({ left: new Set(isRead ? [...left].filter((one) => one !== url) : [...left, url]) })
          }
        />
      ))}
    </fieldset>
  );
}

export const PeopleFields = ({ terms: { addContacts, blocked }, onChange }: Omit<ReadFieldsProps, "calendars">) => (
  <>
    <Checkbox
      label="Guests become contacts"
      hint="Not those of invitations that you have not answered."
      checked={addContacts}
      onCheckedChange={(next) => onChange({ addContacts: next })}
    />
    <Field label="Never store meetings with" optional hint="Addresses and domains: your doctor, friends.">
      <Textarea value={blocked} onChange={(event) => onChange({ blocked: event.target.value })} rows={2} />
    </Field>
  </>
);

/** Which are read, as the API wants it: none for all, also those to come. */
export const chosenOf = (calendars: ReadFieldsProps["calendars"], { left }: ReadTerms): string[] => {
  const read = calendars.filter(({ url }) => !left.has(url));
  return read.length === calendars.length ? [] : read.map(({ url }) => url);
};
