"use client";

import type { ConnectDialogProps } from "./integration-card.tsx";
import { KeyDialog } from "./key-dialog.tsx";

/** Where each CRM shows its token; another is found by its own documentation. */
const places: Readonly<Record<string, { where: string; placeholder: string }>> = {
  hubspot: {
    where:
      "Create a service key in HubSpot under Settings, Integrations, Service Keys, with the scopes to read and write contacts and their schemas, and paste it here.",
    placeholder: "pat-…",
  },
  attio: {
    where:
      "Create an access token in Attio under Workspace settings, Developers, which may read and write records, notes and the object configuration, and paste it here.",
    placeholder: "Access token",
  },
};

/** Asks for the token of a CRM. */
export function CrmDialog(props: ConnectDialogProps) {
  const { provider, display_name: name } = props.integration;
  const { where, placeholder } = places[provider] ?? {
    where: `Create an access token in ${name} and paste it here.`,
    placeholder: "Access token",
  };
  return (
    <KeyDialog
      {...props}
      field="access_token"
      label="Access token"
      noun="access token"
      placeholder={placeholder}
      where={where}
      consequence={`Nothing is pushed to ${name} before you choose what, or start a sync.`}
    />
  );
}
