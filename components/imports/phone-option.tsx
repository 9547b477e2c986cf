"use client";

import { Select } from "#components/ui/select.tsx";
import { phoneCountries } from "#lib/domain/workspace/imports/words.ts";
import type { Import } from "./calls.ts";
import { Option } from "./option.tsx";
import type { ChangeImport } from "./use-import-changes.ts";

const NONE = "none";
const names = new Intl.DisplayNames("en", { type: "region" });
const countries = phoneCountries
  .map((code) => ({ value: code, label: names.of(code) ?? code }))
  .sort((a, b) => a.label.localeCompare(b.label, "en"));
const options = [{ value: NONE, label: "None" }, ...countries];

/** The country of telephone numbers without a country code; nothing where no column holds numbers. */
export function PhoneOption({ record, patch }: { record: Import; patch: ChangeImport }) {
  const { columns, phone_country } = record;
  if (!columns.some(({ to }) => to === "phone")) return null;
  const question = "A phone number has no country code";
  return (
    <Option
      question={question}
      hint="The row's own country counts first. A number that cannot be read is kept as a custom property."
    >
      <Select
        aria-label={question}
        size="sm"
        className="w-56 max-w-full"
        options={options}
        value={phone_country ?? NONE}
        onValueChange={(next) => {
          const country = next === NONE ? null : next;
          patch({ phone_country: country }, { phone_country: country });
        }}
      />
    </Option>
  );
}
