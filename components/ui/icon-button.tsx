"use client";

import { Button, type ButtonProps } from "./button.tsx";
import { Tooltip } from "./tooltip.tsx";

export type IconButtonProps = Omit<ButtonProps, "size" | "aria-label"> & {
  /** The accessible name, shown as a tooltip. */
  label: string;
  /** Keys shown beside the tooltip, as in `Kbd`. */
  shortcut?: string;
  size?: "sm" | "md";
  side?: "top" | "right" | "bottom" | "left";
};

export function IconButton({ label, shortcut, size = "md", side, variant = "ghost", ...props }: IconButtonProps) {
  return (
    <Tooltip content={label} shortcut={shortcut} side={side}>
      <Button variant={variant} size={size === "sm" ? "icon-sm" : "icon"} aria-label={label} {...props} />
    </Tooltip>
  );
}
