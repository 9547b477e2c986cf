"use client";

import "./style-nonce.ts";
import { Check } from "lucide-react";
import * as Primitive from "radix-ui/dropdown-menu";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn.ts";
import { Kbd } from "./kbd.tsx";

/** Not modal: the page behind keeps its scroll and stays readable to assistive technology. */
export function DropdownMenu(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root modal={false} {...props} />;
}

export const DropdownMenuTrigger = Primitive.Trigger;
export const DropdownMenuGroup = Primitive.Group;
export const DropdownMenuRadioGroup = Primitive.RadioGroup;

const itemClasses =
  "relative flex min-h-8 cursor-default select-none items-center gap-2 rounded-xs px-2 py-1 outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover [&_svg:not([class*='size-'])]:size-4 [&_svg]:shrink-0 [&>svg]:text-muted-foreground";

export function DropdownMenuContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        sideOffset={4}
        collisionPadding={8}
        {...props}
        className={cn(
          "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-md border bg-popover p-1 shadow-md outline-none data-[state=closed]:animate-pop-out data-[state=open]:animate-pop-in",
          className,
        )}
      />
    </Primitive.Portal>
  );
}

export type DropdownMenuItemProps = ComponentProps<typeof Primitive.Item> & {
  tone?: "default" | "danger";
  shortcut?: string;
};

/** With `asChild` the only child is the item: a link, say. */
export function DropdownMenuItem({ className, tone, shortcut, children, asChild, ...props }: DropdownMenuItemProps) {
  const classes = cn(
    itemClasses,
    tone === "danger" && "text-danger-text data-[highlighted]:bg-danger-soft [&>svg]:text-danger-text",
    className,
  );
  return (
    <Primitive.Item asChild={asChild} {...props} className={classes}>
      {shortcut && !asChild ? (
        <>
          {children}
          <Kbd keys={shortcut} className="ml-auto pl-4" />
        </>
      ) : (
        children
      )}
    </Primitive.Item>
  );
}

export function DropdownMenuCheckboxItem({
  className,
  children,
  ...props
}: ComponentProps<typeof Primitive.CheckboxItem>) {
  return (
    <Primitive.CheckboxItem {...props} className={cn(itemClasses, "pr-8", className)}>
      {children}
      <Indicator />
    </Primitive.CheckboxItem>
  );
}

export function DropdownMenuRadioItem({ className, children, ...props }: ComponentProps<typeof Primitive.RadioItem>) {
  return (
    <Primitive.RadioItem {...props} className={cn(itemClasses, "pr-8", className)}>
      {children}
      <Indicator />
    </Primitive.RadioItem>
  );
}

function Indicator() {
  return (
    <Primitive.ItemIndicator className="absolute right-2">
      <Check aria-hidden="true" className="size-4" />
    </Primitive.ItemIndicator>
  );
}

export function DropdownMenuLabel({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <Primitive.Label className={cn("px-2 py-1.5 text-muted-foreground text-sm", className)}>{children}</Primitive.Label>
  );
}

export function DropdownMenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-border" />;
}
