import { NotFoundPage } from "#components/records/not-found-page.tsx";

export default function LeadListNotFound() {
  return (
    <NotFoundPage list={{ label: "Leads", folder: "leads" }}>
      There is no lead list at this address in this workspace. It may have been deleted.
    </NotFoundPage>
  );
}
