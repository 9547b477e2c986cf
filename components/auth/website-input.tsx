import type { ComponentProps } from "react";
import { Input } from "#components/ui/input.tsx";

/** Takes a domain or a URL. */
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
