"use client";

import { Command as Primitive } from "cmdk";
import { Search } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "./cn.ts";

/** A filtered list driven by the keyboard. It is heavy: load what uses it with next/dynamic. */
export function Command({ className, ...props }: ComponentProps<typeof Primitive>) {
  return <Primitive {...props} className={cn("flex min-h-0 flex-col", className)} />;
}

export function CommandInput({ className, ...props }: ComponentProps<typeof Primitive.Input>) {
  return (
    <div className="flex items-center gap-2.5 border-b px-4">
      <Search aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      <Primitive.Input
        {...props}
        className={cn("h-12 w-full min-w-0 bg-transparent text-lg outline-none", className)}
      />
    </div>
  );
}

export function CommandList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  return (
    <Primitive.List
      {...props}
      className={cn("max-h-96 scroll-py-1 overflow-y-auto overscroll-contain p-1", className)}
    />
  );
}

export function CommandEmpty({ className, ...props }: ComponentProps<typeof Primitive.Empty>) {
  return <Primitive.Empty {...props} className={cn("px-3 py-6 text-muted-foreground", className)} />;
}

export function CommandGroup({ className, ...props }: ComponentProps<typeof Primitive.Group>) {
  return (
    <Primitive.Group
      {...props}
      className={cn(
        "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-muted-foreground [&_[cmdk-group-heading]]:text-sm",
        className,
      )}
    />
  );
}

export function CommandItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      {...props}
      className={cn(
        "flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-xs px-2 py-1 data-[disabled=true]:opacity-50 data-[selected=true]:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted-foreground",
        className,
      )}
    />
  );
}
