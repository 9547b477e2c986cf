import type { ComponentProps } from "react";
import { Input } from "#components/ui/input.tsx";

/** Takes a domain as well as an address. */
export function WebsiteInput(props: ComponentProps<typeof Input>) {
  return (
    <Input
      inputMode="url"
      autoComplete="url"
      autoCapitalize="none"
      spellCheck={false}
      placeholder="acme.com"
      {...props}
    />
  );
}
