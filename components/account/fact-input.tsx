"use client";

import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { searchRecords } from "#components/records/search-records.ts";
import { stageLabels, stages } from "#components/records/stages.ts";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { countries } from "./countries.ts";
import type { FactKind } from "./fact-kinds.ts";

type FactInputProps = {
  workspaceId: string;
  kind: FactKind;
  text: string;
  onText: (text: string) => void;
  /** Values that others have, as suggestions. */
  samples?: readonly string[];
  autoFocus?: boolean;
  /** Of a company that is chosen already. */
  name?: string | undefined;
};

const yesOrNo = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
] as const;

/** The input for a kind of value. Put it in a Field. */
export function FactInput({ workspaceId, kind, text, onText, samples = [], autoFocus, name }: FactInputProps) {
  const suggestions = useId();
  if (kind === "boolean") return <Select options={yesOrNo} value={text} onValueChange={onText} />;
  if (kind === "stage")
    return (
      <Select
        options={stages.map((stage) => ({ value: stage as string, label: stageLabels[stage] }))}
        value={text}
        onValueChange={onText}
      />
    );
  if (kind === "company") return <CompanyInput workspaceId={workspaceId} onText={onText} name={name} />;
  const shared = { value: text, autoFocus: autoFocus === true, autoComplete: "off" };
  if (kind === "long" || kind === "list" || kind === "json")
    return (
      <Textarea
        {...shared}
        dir="auto"
        rows={Math.min(10, Math.max(2, text.split("\n").length + (kind === "list" ? 1 : 0)))}
        maxLength={20_000}
        spellCheck={kind === "long"}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={submitOnCommandEnter}
        className={kind === "json" ? "font-mono text-sm" : ""}
      />
    );
  const options = kind === "country" ? countries().map((country) => country.name) : samples;
  return (
    <>
      <Input
        {...shared}
        type={kind === "date" ? "date" : "text"}
        {...(kind === "number" ? { inputMode: "decimal" as const } : {})}
        {...(options.length > 0 && kind !== "date" ? { list: suggestions } : {})}
        dir="auto"
        maxLength={2_000}
        onChange={({ target }) => onText(target.value)}
      />
      {options.length > 0 ? (
        <datalist id={suggestions}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      ) : null}
    </>
  );
}

/** Enter is a new line in a long text. */
function submitOnCommandEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** A company of the workspace, by its name; the value is its id. */
function CompanyInput({ workspaceId, onText, name = "" }: Pick<FactInputProps, "workspaceId" | "onText" | "name">) {
  const [search, setSearch] = useState(name);
  const list = useId();
  const matches = useQuery({
    queryKey: ["record-picker", workspaceId, ["company"], search.trim()],
    queryFn: ({ signal }) => searchRecords(workspaceId, "company", search, 8, signal),
    placeholderData: (before) => before ?? [],
  });
  return (
    <>
      <Input
        autoFocus
        list={list}
        value={search}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          setSearch(target.value);
          const named = target.value.trim().toLowerCase();
          const company = matches.data?.find((each) => each.name.toLowerCase() === named);
          onText(company?.id ?? "");
        }}
      />
      <datalist id={list}>
        {matches.data?.map((company) => (
          <option key={company.id} value={company.name}>
            {company.detail}
          </option>
        ))}
      </datalist>
    </>
  );
}
