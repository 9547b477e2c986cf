"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { callUser } from "#components/api.ts";
import { beginSecondFactor, renewRecoveryCodes } from "#components/operations/second-factor.ts";
import { ExactTime } from "#components/records/exact-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#components/ui/card.tsx";
import { failureOf } from "#components/ui/failure.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { toast } from "#components/ui/toaster.tsx";
import type { NewFactor } from "./second-factor-dialogs.tsx";

const SetUpDialog = onDemand("The set-up", () =>
  import("./second-factor-dialogs.tsx").then((module) => module.SetUpDialog),
);
const CodeDialog = onDemand("The question for a code", () =>
  import("./second-factor-dialogs.tsx").then((module) => module.CodeDialog),
);
const CodesDialog = onDemand("The recovery codes", () =>
  import("./second-factor-dialogs.tsx").then((module) => module.CodesDialog),
);

type SecondFactorCardProps = {
  app: { since: string } | null;
  hasPasskeys: boolean;
  recoveryCodesLeft: number;
};

/** The code of an app that is asked for after the password, and the recovery codes. */
export function SecondFactorCard({ app, hasPasskeys, recoveryCodesLeft }: SecondFactorCardProps) {
  const router = useRouter();
  const [setUp, setSetUp] = useState<NewFactor | null>(null);
  const [wish, setWish] = useState<"renew" | "remove" | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [busy, setBusy] = useState<"begin" | "renew" | null>(null);

  async function work(what: "begin" | "renew", act: () => Promise<void>) {
    setBusy(what);
    await act().catch((error: unknown) => {
      toast.error(failureOf(error));
    });
    setBusy(null);
  }
  const begin = () => work("begin", async () => setSetUp(await callUser(beginSecondFactor, {})));
  const renew = () => work("renew", async () => setCodes((await callUser(renewRecoveryCodes, {})).recovery_codes));

  function end() {
    setSetUp(null);
    setWish(null);
    setCodes(null);
    router.refresh();
  }

  return (
    <Card aria-labelledby="second-factor">
      <CardHeader
        titleId="second-factor"
        title="Second factor"
        description="A code from an app on your phone, asked for after your password, and where a workspace requires it."
        actions={
          app ? (
            <Badge tone="success">On</Badge>
          ) : (
            <Button loading={busy === "begin"} aria-haspopup="dialog" onClick={() => void begin()}>
              Set up
            </Button>
          )
        }
      />
      {app || hasPasskeys ? (
        <CardBody className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-muted-foreground text-sm">
            {app ? (
              <>
                Since <ExactTime value={app.since} />.{" "}
              </>
            ) : null}
            {recoveryCodesLeft === 1 ? "One recovery code is" : `${recoveryCodesLeft} recovery codes are`} left.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button
              loading={busy === "renew"}
              aria-haspopup="dialog"
              onClick={() => (app ? setWish("renew") : void renew())}
            >
              New recovery codes
            </Button>
            {app ? (
              <Button variant="danger-ghost" aria-haspopup="dialog" onClick={() => setWish("remove")}>
                Remove
              </Button>
            ) : null}
          </div>
        </CardBody>
      ) : null}
      {setUp ? <SetUpDialog factor={setUp} onEnd={end} /> : null}
      {wish ? <CodeDialog wish={wish} onEnd={end} /> : null}
      {codes ? <CodesDialog codes={codes} onEnd={end} /> : null}
    </Card>
  );
}
