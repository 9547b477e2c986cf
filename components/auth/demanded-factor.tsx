"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { leaveFor } from "./leave.ts";

const ConfirmDialog = onDemand("The confirmation", () =>
  import("./confirm-dialog.tsx").then((module) => module.ConfirmDialog),
);

/** For who has a second factor and did not give it in this session. */
export function DemandedFactor({ next }: { next: string }) {
  const [asks, setAsks] = useState(false);
  return (
    <Card aria-labelledby="confirm-factor">
      <CardHeader
        titleId="confirm-factor"
        title="You have a second factor"
        description="You did not give it when you signed in."
        actions={
          <Button variant="primary" aria-haspopup="dialog" onClick={() => setAsks(true)}>
            Confirm with it
          </Button>
        }
      />
      {asks ? (
        <ConfirmDialog
          reason="This workspace requires a second factor."
          onEnd={(confirmed) => {
            setAsks(false);
            if (confirmed) void leaveFor(next);
          }}
        />
      ) : null}
    </Card>
  );
}
