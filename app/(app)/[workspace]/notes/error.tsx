"use client";

import { PageError } from "#components/records/page-error.tsx";

export default function NotesError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError title="Notes" {...props} />;
}
