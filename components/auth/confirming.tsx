"use client";

import { useEffect, useRef, useState } from "react";
import { onDemand } from "#components/ui/on-demand.tsx";
import { confirmBy } from "./confirming.ts";

const ConfirmDialog = onDemand("The confirmation", () =>
  import("./confirm-dialog.tsx").then((module) => module.ConfirmDialog),
);

/** Asks who signed in some time ago to confirm that it is them, when the server wants that; then the request is sent again. */
export function Confirming() {
  const [asked, setAsked] = useState(false);
  const answer = useRef<(confirmed: boolean) => void>(null);
  useEffect(
    () =>
      confirmBy(
        () =>
          new Promise((resolve) => {
            answer.current?.(false);
            answer.current = resolve;
            setAsked(true);
          }),
      ),
    [],
  );
  if (!asked) return null;
  return (
    <ConfirmDialog
      onEnd={(confirmed) => {
        setAsked(false);
        answer.current?.(confirmed);
        answer.current = null;
      }}
    />
  );
}
