"use client";

import "./style-nonce.ts";
import { Check } from "lucide-react";
import * as Primitive from "radix-ui/select";
import { type Ref, type RefObject, useLayoutEffect } from "react";
import type { SelectOption } from "./select-option.ts";

/* The options of an open Select. Loaded when the first one is about to be opened; pages import select.tsx only. */

export type SelectPanelProps = {
  id: string;
  options: readonly SelectOption[];
  value: string;
  onValueChange: (value: string) => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  trigger: RefObject<HTMLButtonElement | null>;
};

export function SelectPanel({ id, options, value, onValueChange, open, onOpenChange, trigger }: SelectPanelProps) {
  return (
    <Primitive.Root value={value} onValueChange={onValueChange} open={open} onOpenChange={onOpenChange}>
      <Primitive.Trigger asChild>
        <TriggerInPage trigger={trigger} />
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          id={id}
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

/** Tells Radix that the button of select.tsx, which is on the page already, is its trigger. */
function TriggerInPage({
  trigger,
  ref,
}: {
  trigger: RefObject<HTMLButtonElement | null>;
  ref?: Ref<HTMLButtonElement>;
}) {
  useLayoutEffect(() => {
    if (typeof ref === "function") {
      const detach = ref(trigger.current);
      return () => (typeof detach === "function" ? detach() : void ref(null));
    }
    if (ref) ref.current = trigger.current;
  }, [ref, trigger]);
  return null;
}
