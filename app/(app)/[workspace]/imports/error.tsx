"use client";

import { PageError } from "#components/records/page-error.tsx";

export default function ImportsError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError title="Imports" {...props} />;
}
