"use client";

import { PageError } from "#components/records/page-error.tsx";

export default function WorkspaceError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError title="Something went wrong" {...props} />;
}
