"use client";

import { PageError } from "#components/records/page-error.tsx";

export default function ImportError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError title="Import" {...props} />;
}
