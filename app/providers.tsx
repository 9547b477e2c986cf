"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { ThemeProvider } from "next-themes";
import { type ReactNode, useState } from "react";
import { Confirming } from "#components/auth/confirming.tsx";
import { PageQueries } from "#components/page-queries.ts";
import { isWorthAsking } from "#components/retry.ts";
import { Toaster } from "#components/ui/toaster.tsx";

export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  const [queries] = useState(
    () =>
      new PageQueries({
        defaultOptions: {
          queries: { staleTime: 30_000, retry: isWorthAsking },
          // Fails at once without a connection. By default it would be kept, and sent when the connection is back.
          mutations: { retry: 0, networkMode: "always" },
        },
      }),
  );
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange nonce={nonce}>
      <QueryClientProvider client={queries}>
        {children}
        <Confirming />
        <Toaster />
      </QueryClientProvider>
    </ThemeProvider>
  );
}
