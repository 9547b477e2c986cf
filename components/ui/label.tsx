import type { ComponentProps } from "react";
import { cn } from "./cn.ts";

export function Label({ className, ...props }: ComponentProps<"label">) {
  // biome-ignore lint/a11y/noLabelWithoutControl: the caller names the control with htmlFor or wraps it
  return <label className={cn("select-none font-medium text-base text-foreground", className)} {...props} />;
}
