"use client";

import { Eye } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { Button } from "#components/ui/button.tsx";

/** In the page's header, so it finds the panel through the address. */
export function AgentViewButton() {
  const [, setView] = useQueryState("view", parseAsString.withOptions({ history: "push", scroll: false }));
  return (
    <Button aria-haspopup="dialog" onClick={() => void setView("agents")}>
      <Eye aria-hidden="true" /> What agents see
    </Button>
  );
}
