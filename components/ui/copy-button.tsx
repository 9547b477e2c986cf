"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";

export type CopyButtonProps = {
  value: string;
  /** The accessible name and tooltip, or the text of the button when `text` is set. */
  label?: string;
  /** Shows the label beside the icon. */
  text?: boolean;
  size?: "sm" | "md";
  variant?: ButtonProps["variant"];
  className?: string;
  onCopied?: () => void;
};

export function CopyButton({
  value,
  label = "Copy",
  text,
  size = "md",
  variant,
  className,
  onCopied,
}: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    if (!(await writeClipboard(value))) return;
    setCopied(true);
    onCopied?.();
  }

  const icon = copied ? <Check aria-hidden="true" className="text-success-text" /> : <Copy aria-hidden="true" />;
  return (
    <>
      {text ? (
        <Button size={size} variant={variant} className={className} onClick={copy}>
          {icon}
          {copied ? "Copied" : label}
        </Button>
      ) : (
        <IconButton size={size} variant={variant} className={className} label={label} onClick={copy}>
          {icon}
        </IconButton>
      )}
      <span role="status" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}

/** navigator.clipboard exists only on https and localhost; a server on a plain-http LAN address needs the old way. */
async function writeClipboard(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = value;
    area.setAttribute("aria-hidden", "true");
    area.style.position = "fixed";
    area.style.opacity = "0";
    const focused = document.activeElement;
    (focused?.closest("[role=dialog],[role=alertdialog]") ?? document.body).append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return done;
  }
}
