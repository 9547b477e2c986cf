"use client";

import { onDemand } from "#components/ui/on-demand.tsx";
import type { FailedPage } from "#components/ui/use-failure.ts";
import { useReload } from "#components/ui/use-reload.ts";

/** Every page brings this along, so what it shows is loaded when one fails. */
const Failed = onDemand<FailedPage>(
  "Why the page failed",
  () => import("#components/frame/failed-root.tsx").then((module) => module.FailedRoot),
  {
    loading: (
      <main className="mx-auto flex min-h-dvh max-w-md items-center px-4 py-12">
        <h1 className="font-semibold text-xl tracking-tight">This page could not be loaded</h1>
      </main>
    ),
  },
);

export default function RouteError(props: FailedPage) {
  // A page whose scripts are gone is loaded again, also when what is shown here is gone with them.
  useReload(props.error);
  return <Failed {...props} />;
}
