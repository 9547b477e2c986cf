"use client";

import { AddForm } from "#components/records/add-form.tsx";
import { addLead } from "./calls.ts";
import { leadsId } from "./leads-kind.tsx";
import { leadName } from "./names.ts";

type AddLeadDialogProps = { workspaceId: string; listId: string; onClose: () => void };

export function AddLeadDialog({ workspaceId, listId, onClose }: AddLeadDialogProps) {
  return (
    <AddForm
      workspaceId={workspaceId}
      listId={leadsId}
      title="Add lead"
      description="An e-mail address or LinkedIn profile identifies the person. New people are added to People."
      identifiers={["email", "linkedin_url"]}
      missing="Enter an e-mail address or a LinkedIn profile."
      fields={[
        { name: "email", label: "E-mail", type: "email" },
        { name: "linkedin_url", label: "LinkedIn", type: "url" },
        { name: "name", label: "Name", half: true },
        { name: "company", label: "Company", half: true },
      ]}
      add={async (fields) => {
        const { lead } = await addLead(workspaceId, listId, fields);
        return { id: lead.entity_id, name: leadName(lead), created: true };
      }}
      onClose={onClose}
    />
  );
}
