"use client";

import { AddForm } from "#components/records/add-form.tsx";
import { personName } from "#components/records/names.ts";
import { addPerson, linkEmployer } from "./calls.ts";

type AddPersonDialogProps = {
  workspaceId: string;
  /** The company that the person works at, whatever their address is. */
  employer?: { id: string; name: string };
  onAdded?: () => void;
  onClose: () => void;
};

export function AddPersonDialog({ workspaceId, employer, onAdded, onClose }: AddPersonDialogProps) {
  return (
    <AddForm
      workspaceId={workspaceId}
      listId="people"
      action="Add person"
      title={employer ? `Add a person at ${employer.name}` : "Add person"}
      description="An e-mail address or LinkedIn profile identifies the person."
      identifiers={["email", "linkedin_url"]}
      missing="Enter an e-mail address or a LinkedIn profile."
      fields={[
        { name: "email", label: "E-mail", type: "email", hint: "A business address links the company automatically." },
        { name: "linkedin_url", label: "LinkedIn", type: "url" },
        { name: "first_name", label: "First name", half: true },
        { name: "last_name", label: "Last name", half: true },
        { name: "job_title", label: "Title", half: true },
        ...(employer ? [] : [{ name: "company", label: "Company", half: true }]),
        { name: "phone", label: "Phone", type: "tel", hint: "With the country code, such as +4930123456." },
      ]}
      add={async (fields) => {
        const { person, created } = await addPerson(workspaceId, fields);
        if (employer && person.company_id !== employer.id) await linkEmployer(workspaceId, person.id, employer.id);
        onAdded?.();
        return { id: person.id, name: personName(person), created };
      }}
      onClose={onClose}
    />
  );
}
