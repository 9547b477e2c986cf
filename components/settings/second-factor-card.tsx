"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { callUser } from "#components/api.ts";
import { beginSecondFactor } from "#components/operations/second-factor.ts";
import { ExactTime } from "#components/records/exact-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { NewFactor } from "./second-factor-dialogs.tsx";

const SetUpDialog = onDemand("The set-up", () =>
  import("./second-factor-dialogs.tsx").then((module) => module.SetUpDialog),
);
const CodeDialog = onDemand("The question for a code", () =>
  import("./second-factor-dialogs.tsx").then((module) => module.CodeDialog),
);

type SecondFactorCardProps = {
  factor: { since: string; recovery_codes_left: number } | null;
  hasPassword: boolean;
};

/** The code of an app that is asked for after the password. */
export function SecondFactorCard({ factor, hasPassword }: SecondFactorCardProps) {
  const router = useRouter();
  const [setUp, setSetUp] = useState<NewFactor | null>(null);
  const [wish, setWish] = useState<"renew" | "remove" | null>(null);
  const [busy, setBusy] = useState(false);

  async function begin() {
    setBusy(true);
    try {
      setSetUp(await callUser(beginSecondFactor, {}));
    } catch (error) {
      toast.error(error instanceof Error ? error.message : "That did not work. Try again.");
    }
    setBusy(false);
  }

  function end() {
    setSetUp(null);
    setWish(null);
    router.refresh();
  }

  return (
    <Card aria-labelledby="second-factor">
      <CardHeader
        titleId="second-factor"
        title="Second factor"
        description={
          hasPassword || factor
            ? "A code from an app on your phone, asked for after your password."
            : "A code from an app on your phone, asked for after a password. You have no password: your provider asks for more than one factor where that is set up there."
        }
        actions={
          factor ? (
            <Badge tone="success">On</Badge>
          ) : hasPassword ? (
            <Button loading={busy} aria-haspopup="dialog" onClick={() => void begin()}>
              Set up
            </Button>
          ) : null
        }
      />
      {factor ? (
        <CardBody className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-muted-foreground text-sm">
            Since <ExactTime value={factor.since} />.{" "}
            {factor.recovery_codes_left === 1
              ? "One recovery code is"
              : `${factor.recovery_codes_left} recovery codes are`}{" "}
            left.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button aria-haspopup="dialog" onClick={() => setWish("renew")}>
              New recovery codes
            </Button>
            <Button variant="danger-ghost" aria-haspopup="dialog" onClick={() => setWish("remove")}>
              Remove
            </Button>
          </div>
        </CardBody>
      ) : null}
      {setUp ? <SetUpDialog factor={setUp} onEnd={end} /> : null}
      {wish ? <CodeDialog wish={wish} onEnd={end} /> : null}
    </Card>
  );
}
