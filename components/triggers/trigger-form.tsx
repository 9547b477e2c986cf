"use client";

import { type FormEvent, useState } from "react";
import { ApiError, fieldProblems } from "#components/api.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { stageLabels, stages } from "#components/records/stages.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { SheetBody, SheetFooter } from "#components/ui/sheet.tsx";
import { SkeletonText } from "#components/ui/skeleton.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { type Filters, type Trigger, type TriggerInput, useEvents } from "./calls.ts";
import { EventPicker } from "./event-picker.tsx";
import { filterWords, partsOf, propertiesIn, textOfProperties } from "./words.ts";

type TriggerFormProps = {
  workspaceId: string;
  /** The one that is changed; absent for a new one. */
  trigger?: Trigger | undefined;
  label: string;
  busy: boolean;
  save: (input: TriggerInput) => Promise<void>;
};

/** What is wrong with each field; `form`: with none of them. */
type Problems = { url?: string; events?: string; form?: string };

/** URL, name, events and filters of a trigger. Every error is shown beside its field, all at once. */
export function TriggerForm({ workspaceId, trigger, label, busy, save }: TriggerFormProps) {
  const [url, setUrl] = useState(trigger?.url ?? "");
  const [name, setName] = useState(trigger?.name ?? "");
  const [chosen, setChosen] = useState<string[]>(trigger?.events ?? []);
  const [filters, setFilters] = useState<Filters>(trigger?.filters ?? {});
  const [problems, setProblems] = useState<Problems>({});
  const events = useEvents(workspaceId);

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (busy) return;
    const missing = {
      ...(url.trim() === "" ? { url: "Enter the URL that events are sent to." } : {}),
      ...(chosen.length === 0 ? { events: "Choose at least one event." } : {}),
    };
    setProblems(missing);
    if (Object.keys(missing).length > 0) return;
    try {
      await save({ url, events: chosen, name, filters });
    } catch (error) {
      setProblems(problemsOf(error));
    }
  }

  return (
    <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
      <SheetBody className="flex flex-col gap-5">
        <Field
          label="URL"
          hint="Gets a POST for each event, signed as Standard Webhooks."
          error={problems.url}
          required
        >
          <Input
            type="url"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            placeholder="https://hooks.example.com/rapport"
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field label="Name" optional>
          <Input value={name} onChange={(event) => setName(event.target.value)} maxLength={100} autoComplete="off" />
        </Field>
        <section aria-labelledby="trigger-events" className="flex flex-col gap-3">
          <h3 id="trigger-events" className="font-medium">
            Events
          </h3>
          <p role="alert" id="trigger-events-problem" className="text-danger-text text-sm empty:hidden">
            {problems.events}
          </p>
          <LoadProblem title="The events could not be loaded" query={events} className="px-0" />
          {events.data ? (
            <EventPicker
              events={events.data.events}
              chosen={chosen}
              onChange={setChosen}
              describedBy={problems.events ? "trigger-events-problem" : undefined}
            />
          ) : events.isPending ? (
            <SkeletonText lines={8} />
          ) : null}
        </section>
        <FilterFields filters={filters} onChange={setFilters} />
        <p role="alert" className="text-danger-text text-sm empty:hidden">
          {problems.form}
        </p>
      </SheetBody>
      <SheetFooter>
        <Button type="submit" variant="primary" loading={busy}>
          {label}
        </Button>
      </SheetFooter>
    </form>
  );
}

function problemsOf(error: unknown): Problems {
  if (!(error instanceof ApiError)) return { form: "That did not work. Try again." };
  const problems: Problems = {};
  for (const { parameter, message } of fieldProblems(error)) {
    const [field] = parameter.split(".");
    problems[field === "url" || field === "events" ? field : "form"] ??= message;
  }
  return problems;
}

type FilterFieldsProps = { filters: Filters; onChange: (filters: Filters) => void };

/** Conditions that narrow a trigger; closed until they are wanted. */
function FilterFields({ filters, onChange }: FilterFieldsProps) {
  const [properties, setProperties] = useState(textOfProperties(filters.property));
  const set = <K extends keyof Filters>(key: K, value: NonNullable<Filters[K]>) => {
    const { [key]: _, ...rest } = filters;
    const isEmpty = Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
    onChange(isEmpty ? rest : { ...rest, [key]: value });
  };
  const words = filterWords(filters);
  const chosen = filters.stage ?? [];
  return (
    <details className="rounded-md border" open={words.length > 0}>
      <summary className="cursor-default px-3 py-2 font-medium">
        Only for some records
        <span className="font-normal text-muted-foreground">
          {" "}
          {words.length === 0 ? "(optional)" : words.join("; ")}
        </span>
      </summary>
      <div className="flex flex-col gap-4 border-t px-3 py-3">
        <fieldset className="flex flex-col gap-1.5">
          <legend className="mb-1.5 font-medium text-sm">Stage</legend>
          <div className="flex flex-wrap gap-x-4 gap-y-1.5">
            {stages.map((stage) => (
              <Checkbox
                key={stage}
                checked={chosen.includes(stage)}
                onCheckedChange={(on) =>
                  set("stage", on === true ? [...chosen, stage] : chosen.filter((each) => each !== stage))
                }
                label={stageLabels[stage]}
              />
            ))}
          </div>
        </fieldset>
        <Field label="Properties" hint="One per line, such as “seniority = vp, cxo”. All of them must match." optional>
          <Textarea
            value={properties}
            onChange={(event) => {
              setProperties(event.target.value);
              set("property", propertiesIn(event.target.value));
            }}
            rows={2}
            spellCheck={false}
          />
        </Field>
        <ListField
          label="Sources"
          hint="Who reported it, such as api, cal_com."
          values={filters.source}
          onChange={(values) => set("source", values)}
        />
        <ListField
          label="Plans"
          hint="What the property “plan” of the record may be."
          values={filters.plan}
          onChange={(values) => set("plan", values)}
        />
        <ListField
          label="Lead lists"
          hint="Ids of lead lists. Only events of leads in these lists are sent."
          values={filters.list}
          onChange={(values) => set("list", values)}
        />
      </div>
    </details>
  );
}

type ListFieldProps = {
  label: string;
  hint: string;
  values: readonly string[] | undefined;
  onChange: (values: string[]) => void;
};

/** Several values, separated by commas. */
function ListField({ label, hint, values = [], onChange }: ListFieldProps) {
  const [text, setText] = useState(values.join(", "));
  return (
    <Field label={label} hint={hint} optional>
      <Input
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onChange(partsOf(event.target.value));
        }}
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
  );
}
