"use client";

import { PageError } from "#components/records/page-error.tsx";

export default function PeopleError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError title="People" width="full" {...props} />;
}
