"use client";

import { Check, Plus } from "lucide-react";
import { type RefObject, useState } from "react";
import { useProperties } from "#components/records/use-properties.ts";
import {
  Command,
  CommandEmpty,
  CommandGroup,
  CommandInput,
  CommandItem,
  CommandList,
} from "#components/ui/command.tsx";
import { Popover, PopoverAnchor, PopoverContent } from "#components/ui/popover.tsx";
import type { Column } from "#lib/domain/workspace/imports/contract.ts";
import { importFields, readings } from "#lib/domain/workspace/imports/words.ts";
import type { ImportKind } from "./calls.ts";
import {
  isProperty,
  isReadable,
  nameOf,
  propertyTarget,
  type Target,
  takesProperties,
  targetLabel,
} from "./mapping.ts";
import { readingLabels } from "./words.ts";

type TargetPickerProps = {
  workspaceId: string;
  kind: ImportKind;
  column: Column;
  columns: readonly Column[];
  anchor: RefObject<HTMLElement | null>;
  onPick: (target: Target) => void;
  onRead: (as: Column["as"]) => void;
  onClose: () => void;
};

/** What a column is imported as: a field, a custom property, a new one, or nothing. */
export function TargetPicker(props: TargetPickerProps) {
  const { kind, column, columns, anchor, onPick, onRead, onClose } = props;
  const [text, setText] = useState("");
  const properties = useKnownProperties(props);
  const wanted = takesProperties(kind) ? propertyTarget(text.trim() === "" ? column.header : text) : null;
  const isNew = wanted !== null && !properties.includes(wanted);
  const label = `Import ${nameOf(column)} as`;
  const detailOf = (target: Target) => {
    const other = columns.find((each) => each.to === target && each.column !== column.column);
    return other ? nameOf(other) : null;
  };
  const item = (target: NonNullable<Target>) => (
    <Choice
      key={target}
      value={target}
      keywords={[targetLabel(target)]}
      label={targetLabel(target)}
      detail={detailOf(target)}
      current={column.to === target}
      onPick={() => onPick(target)}
    />
  );
  return (
    <Popover open onOpenChange={(next) => (next ? undefined : onClose())}>
      <PopoverAnchor virtualRef={anchor as RefObject<HTMLElement>} />
      <PopoverContent
        aria-label={label}
        className="w-80 p-0"
        onInteractOutside={(event) => {
          // A press on the button closes it by itself.
          if (anchor.current?.contains(event.target as Node)) event.preventDefault();
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          anchor.current?.focus({ preventScroll: true });
        }}
      >
        <Command label={label} loop defaultValue={column.to ?? undefined}>
          <CommandInput
            placeholder={takesProperties(kind) ? "Find a field or name a property…" : "Find a field…"}
            value={text}
            onValueChange={setText}
            className="h-9 text-base"
          />
          <CommandList label={label} className="max-h-72">
            <CommandEmpty>No field is called that.</CommandEmpty>
            <CommandGroup heading="Fields">{importFields[kind].map(item)}</CommandGroup>
            {takesProperties(kind) && (properties.length > 0 || isNew) ? (
              <CommandGroup heading="Custom properties" forceMount={isNew}>
                {properties.map(item)}
                {isNew && wanted ? (
                  <CommandItem forceMount value="new property" onSelect={() => onPick(wanted)}>
                    <Plus aria-hidden="true" />
                    <span className="min-w-0 truncate">New: {targetLabel(wanted)}</span>
                    <code className="ml-auto min-w-0 truncate text-muted-foreground text-sm">
                      {wanted.slice("property.".length)}
                    </code>
                  </CommandItem>
                ) : null}
              </CommandGroup>
            ) : null}
            {isReadable(column.to) ? (
              <CommandGroup heading="Values are read as">
                {readings.map((reading) => (
                  <Choice
                    key={reading}
                    value={`read as ${reading}`}
                    keywords={[readingLabels[reading]]}
                    label={readingLabels[reading]}
                    detail={null}
                    current={column.as === reading}
                    onPick={() => onRead(reading)}
                  />
                ))}
              </CommandGroup>
            ) : null}
            <CommandGroup heading="Not imported">
              <Choice
                value="left out"
                keywords={["ignore", "skip", "none"]}
                label="Leave it out"
                detail={null}
                current={column.to === null}
                onPick={() => onPick(null)}
              />
            </CommandGroup>
          </CommandList>
        </Command>
      </PopoverContent>
    </Popover>
  );
}

type ChoiceProps = {
  value: string;
  keywords: string[];
  label: string;
  /** The column that has it. */
  detail: string | null;
  current: boolean;
  onPick: () => void;
};

function Choice({ value, keywords, label, detail, current, onPick }: ChoiceProps) {
  return (
    <CommandItem value={value} keywords={keywords} onSelect={onPick}>
      <span className="min-w-0 truncate">{label}</span>
      {detail ? <span className="ml-auto min-w-0 truncate text-muted-foreground text-sm">{detail}</span> : null}
      {current ? (
        <>
          <Check aria-hidden="true" className={detail ? undefined : "ml-auto"} />
          <span className="sr-only">(chosen)</span>
        </>
      ) : null}
    </CommandItem>
  );
}

/** Custom properties that the workspace has, and those that other columns of the file become. */
function useKnownProperties({ workspaceId, kind, columns }: TargetPickerProps): readonly NonNullable<Target>[] {
  const properties = useProperties(workspaceId, kind === "companies" ? "company" : "person");
  const targets = [
    ...(kind === "activities" ? [] : properties)
      .filter(({ standard }) => !standard)
      .map(({ name }) => `property.${name}`),
    ...columns.flatMap(({ to }) => (to !== null && isProperty(to) ? to : [])),
  ];
  return [...new Set(targets)] as NonNullable<Target>[];
}
