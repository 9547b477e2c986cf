"use client";

import { signInHref } from "#components/frame/nav.ts";
import { Button, type ButtonProps } from "#components/ui/button.tsx";

/** The session ended while the page was open; unsaved text is kept in this browser until the reader signs in again. */
export function SignInLink({ size = "sm" }: Pick<ButtonProps, "size">) {
  const here = `${location.pathname}${location.search}`;
  return (
    <Button size={size} asChild>
      <a href={`${signInHref}?next=${encodeURIComponent(here)}`}>Sign in</a>
    </Button>
  );
}
