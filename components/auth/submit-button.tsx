"use client";

import { useSyncExternalStore } from "react";
import { Button, type ButtonProps } from "#components/ui/button.tsx";

const never = () => () => undefined;

/**
 * The button that sends a form. It is disabled until the page's script runs: before that the browser itself would send
 * the fields, and a password must not be in an address.
 */
export function SubmitButton({
  busy,
  disabled,
  ...props
}: Omit<ButtonProps, "type" | "loading" | "asChild"> & { busy: boolean }) {
  const ready = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return <Button type="submit" variant="primary" {...props} loading={busy} disabled={disabled || !ready} />;
}
