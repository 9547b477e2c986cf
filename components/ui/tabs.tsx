"use client";

import * as Primitive from "radix-ui/tabs";
import type { ComponentProps } from "react";
import { cn } from "./cn.ts";

export const Tabs = Primitive.Root;

export function TabsList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  return <Primitive.List {...props} className={cn("flex gap-4 overflow-x-auto border-b px-0.5", className)} />;
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      {...props}
      className={cn(
        "-mb-px flex h-9 shrink-0 items-center gap-1.5 border-transparent border-b-2 px-0.5 text-muted-foreground transition-colors hover:text-foreground focus-visible:-outline-offset-2 disabled:opacity-50 data-[state=active]:border-foreground data-[state=active]:font-medium data-[state=active]:text-foreground [&_svg]:size-4",
        className,
      )}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return <Primitive.Content {...props} className={cn("pt-4", className)} />;
}
