"use client";

import { Plus } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { useMinting } from "./minting.ts";

export function MintButton() {
  const { open } = useMinting();
  return (
    <Button variant="primary" onClick={open}>
      <Plus aria-hidden="true" /> New API key
    </Button>
  );
}
