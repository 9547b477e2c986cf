"use client";

import { Eye } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { useAddress } from "./address.ts";

/** In the page's header, so it finds the panel through the address. */
export function AgentViewButton() {
  const [, setAddress] = useAddress();
  return (
    <Button aria-haspopup="dialog" onClick={() => setAddress({ view: "agents" }, { history: "push" })}>
      <Eye aria-hidden="true" /> What agents see
    </Button>
  );
}
