"use client";

import { Plus } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Button } from "#components/ui/button.tsx";

/** In the page's header, so it opens the dialog through the address. */
export function AddNoteButton() {
  const [, setOpen] = useQueryState("open", parseAsStringLiteral(["new-note"]).withOptions({ history: "push" }));
  return (
    <Button variant="primary" aria-haspopup="dialog" onClick={() => void setOpen("new-note")}>
      <Plus aria-hidden="true" /> Add note
    </Button>
  );
}
