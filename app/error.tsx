"use client";

import Link from "next/link";
import { Logo } from "#components/frame/logo.tsx";
import { Button } from "#components/ui/button.tsx";
import { PageFailure } from "#components/ui/page-failure.tsx";

const Way = () => (
  <Button asChild>
    <Link href="/">Go to your workspace</Link>
  </Button>
);

export default function RouteError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-2 px-4 py-12">
      <Logo />
      <PageFailure {...props} heading={(words) => <h1>{words}</h1>} className="px-0" action={<Way />} />
    </main>
  );
}
