"use client";

import "./style-nonce.ts";
import { Check, ChevronDown } from "lucide-react";
import * as Primitive from "radix-ui/select";
import type { ReactNode } from "react";
import { cn } from "./cn.ts";
import { useFieldControl } from "./field.tsx";
import { controlClasses } from "./input.tsx";

export type SelectOption<Value extends string = string> = {
  value: Value;
  label: string;
  description?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
};

export type SelectProps<Value extends string = string> = {
  options: readonly SelectOption<Value>[];
  value?: Value;
  defaultValue?: Value;
  onValueChange?: (value: Value) => void;
  placeholder?: string;
  disabled?: boolean;
  name?: string;
  /** Needed outside a Field. */
  "aria-label"?: string;
  size?: "sm" | "md";
  className?: string;
  id?: string;
};

export function Select<Value extends string = string>({
  options,
  value,
  defaultValue,
  onValueChange,
  placeholder = "Choose…",
  disabled,
  name,
  size = "md",
  className,
  ...trigger
}: SelectProps<Value>) {
  const control = useFieldControl(trigger);
  return (
    <Primitive.Root
      value={value}
      defaultValue={defaultValue}
      onValueChange={onValueChange as ((value: string) => void) | undefined}
      disabled={disabled}
      name={name}
    >
      <Primitive.Trigger
        {...trigger}
        {...control}
        className={cn(
          controlClasses,
          "flex items-center justify-between gap-2 px-2.5 text-left data-[placeholder]:text-muted-foreground [&>span]:truncate",
          size === "sm" ? "h-7 text-sm max-md:text-sm" : "h-8",
          className,
        )}
      >
        <Primitive.Value placeholder={placeholder} />
        <Primitive.Icon asChild>
          <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
        </Primitive.Icon>
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-[calc(100vw-1rem)] overflow-hidden rounded-md border bg-popover shadow-md data-[state=closed]:animate-pop-out data-[state=open]:animate-pop-in"
        >
          <Primitive.Viewport className="p-1">
            {options.map((option) => (
              <Primitive.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled}
                className="relative flex min-h-8 cursor-default select-none items-center gap-2 rounded-xs py-1 pr-8 pl-2 outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover [&_svg]:size-4"
              >
                {option.icon}
                <span className="flex min-w-0 flex-col">
                  <Primitive.ItemText>{option.label}</Primitive.ItemText>
                  {option.description ? (
                    <span className="text-muted-foreground text-sm">{option.description}</span>
                  ) : null}
                </span>
                <Primitive.ItemIndicator className="absolute right-2">
                  <Check aria-hidden="true" />
                </Primitive.ItemIndicator>
              </Primitive.Item>
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
