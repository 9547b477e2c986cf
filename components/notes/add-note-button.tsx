"use client";

import { Plus } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { parseAsStringLiteral } from "#components/ui/query-state.ts";
import { useQueryState } from "#components/ui/use-query-state.ts";

/** In the page's header, so it opens the dialog through the address. */
export function AddNoteButton() {
  const [, setOpen] = useQueryState("open", parseAsStringLiteral(["new-note"]), { history: "push" });
  return (
    <Button data-writes variant="primary" aria-haspopup="dialog" onClick={() => setOpen("new-note")}>
      <Plus aria-hidden="true" /> Add note
    </Button>
  );
}
