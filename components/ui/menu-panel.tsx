"use client";

import "./style-nonce.ts";
import { Check } from "lucide-react";
import type * as Primitive from "radix-ui/dropdown-menu";
import { Menu } from "radix-ui/internal";
import { type ComponentProps, type RefObject, useRef } from "react";
import { cn } from "./cn.ts";
import { Kbd } from "./kbd.tsx";

/*
 * The content of an open DropdownMenu. Loaded when the first menu is about to be opened; pages import dropdown-menu.tsx
 * only.
 */

export type MenuPanelProps = Omit<ComponentProps<typeof Menu.Content>, "dir"> & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  modal: boolean;
  dir?: "ltr" | "rtl" | undefined;
  trigger: RefObject<HTMLElement | null>;
  /** The first item takes the focus, since no pointer opened the menu. */
  byKey: RefObject<boolean>;
};

export function MenuPanel({ open, onOpenChange, modal, dir, trigger, byKey, className, ...props }: MenuPanelProps) {
  const leftForElsewhere = useRef(false);
  const returning = useRef(false);

  /**
   * At once, not after the menu has faded out: a dialog opened by the choice returns the focus to where it was at that
   * time.
   */
  function change(next: boolean) {
    if (!next && !leftForElsewhere.current) {
      returning.current = true;
      trigger.current?.focus();
      returning.current = false;
    }
    onOpenChange(next);
  }

  return (
    <Menu.Root open={open} onOpenChange={change} modal={modal} dir={dir}>
      <Menu.Anchor virtualRef={trigger as RefObject<HTMLElement>} />
      <Menu.Portal>
        <Menu.Content
          sideOffset={4}
          collisionPadding={8}
          {...props}
          onEntryFocus={(event) => {
            if (!byKey.current) return;
            event.preventDefault();
            (event.target as HTMLElement)
              .querySelector<HTMLElement>("[role^=menuitem]:not([data-disabled])")
              ?.focus({ preventScroll: true });
          }}
          onFocusOutside={(event) => {
            props.onFocusOutside?.(event);
            if (returning.current) event.preventDefault();
          }}
          onInteractOutside={(event) => {
            props.onInteractOutside?.(event);
            if (!event.defaultPrevented && !modal) leftForElsewhere.current = true;
          }}
          onCloseAutoFocus={(event) => {
            props.onCloseAutoFocus?.(event);
            leftForElsewhere.current = false;
            event.preventDefault();
          }}
          className={cn(
            "z-50 max-h-(--radix-popper-available-height) min-w-48 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-md border bg-popover p-1 shadow-md outline-none data-[state=closed]:animate-pop-out data-[state=open]:animate-pop-in",
            className,
          )}
        />
      </Menu.Portal>
    </Menu.Root>
  );
}

export const RadioGroup = Menu.RadioGroup;

export type ItemProps = ComponentProps<typeof Primitive.Item> & {
  tone?: "default" | "danger";
  shortcut?: string;
};

const itemClasses =
  "relative flex min-h-8 cursor-default select-none items-center gap-2 rounded-xs px-2 py-1 outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover [&_svg:not([class*='size-'])]:size-4 [&_svg]:shrink-0 [&>svg]:text-muted-foreground";

export function Item({ className, tone, shortcut, children, asChild, ...props }: ItemProps) {
  const classes = cn(
    itemClasses,
    tone === "danger" && "text-danger-text data-[highlighted]:bg-danger-soft [&>svg]:text-danger-text",
    className,
  );
  return (
    <Menu.Item asChild={asChild} {...props} className={classes}>
      {shortcut && !asChild ? (
        <>
          {children}
          <Kbd keys={shortcut} className="ml-auto pl-4" />
        </>
      ) : (
        children
      )}
    </Menu.Item>
  );
}

export function CheckboxItem({ className, children, ...props }: ComponentProps<typeof Menu.CheckboxItem>) {
  return (
    <Menu.CheckboxItem {...props} className={cn(itemClasses, "pr-8", className)}>
      {children}
      <Indicator />
    </Menu.CheckboxItem>
  );
}

export function RadioItem({ className, children, ...props }: ComponentProps<typeof Menu.RadioItem>) {
  return (
    <Menu.RadioItem {...props} className={cn(itemClasses, "pr-8", className)}>
      {children}
      <Indicator />
    </Menu.RadioItem>
  );
}

function Indicator() {
  return (
    <Menu.ItemIndicator className="absolute right-2">
      <Check aria-hidden="true" className="size-4" />
    </Menu.ItemIndicator>
  );
}

export const Label = Menu.Label;
export const Separator = Menu.Separator;
