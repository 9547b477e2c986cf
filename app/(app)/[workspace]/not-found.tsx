import { NotFoundPage } from "#components/records/not-found-page.tsx";

export default function WorkspaceNotFound() {
  return (
    <NotFoundPage>
      There is no page at this address, it was deleted, or it is for administrators of the workspace.
    </NotFoundPage>
  );
}
