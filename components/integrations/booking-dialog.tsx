"use client";

import type { ConnectDialogProps } from "./integration-card.tsx";
import { KeyDialog } from "./key-dialog.tsx";

/** Asks for the key of a booking provider. */
export function BookingDialog(props: ConnectDialogProps) {
  const name = props.integration.display_name;
  return (
    <KeyDialog
      {...props}
      field="api_key"
      label="API key"
      noun="API key"
      placeholder="cal_live_…"
      where={`Create an API key in ${name} under Settings, Developer, API keys, and paste it here.`}
      consequence={`Saving registers a webhook in ${name}, so that bookings, reschedules and cancellations appear on timelines as they happen.`}
    />
  );
}
