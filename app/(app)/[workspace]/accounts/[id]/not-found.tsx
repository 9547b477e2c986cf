import { NotFoundPage } from "#components/records/not-found-page.tsx";

export default function AccountNotFound() {
  return (
    <NotFoundPage list={{ label: "People", folder: "people" }}>
      There is no person or company at this address in this workspace. It may have been erased.
    </NotFoundPage>
  );
}
