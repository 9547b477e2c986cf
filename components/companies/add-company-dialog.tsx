"use client";

import { AddForm } from "#components/records/add-form.tsx";
import { companyName } from "#components/records/names.ts";
import { addCompany } from "./calls.ts";

export function AddCompanyDialog({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  return (
    <AddForm
      workspaceId={workspaceId}
      listId="companies"
      title="Add company"
      description="A domain or LinkedIn page identifies the company."
      identifiers={["domain", "linkedin_url"]}
      missing="Enter a domain or a LinkedIn page."
      fields={[
        { name: "domain", label: "Domain", type: "url", hint: "Such as acme.com; its website's address works too." },
        { name: "linkedin_url", label: "LinkedIn", type: "url" },
        { name: "name", label: "Name" },
        { name: "industry", label: "Industry", half: true },
        { name: "country", label: "Country", half: true },
      ]}
      add={async (fields) => {
        const { company, created } = await addCompany(workspaceId, fields);
        return { id: company.id, name: companyName(company), created };
      }}
      onClose={onClose}
    />
  );
}
