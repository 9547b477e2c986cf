import "./globals.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { localeOfReader, readerHasPhone } from "#components/ui/reader.ts";
import { fontVariables } from "./fonts.ts";
import { Providers } from "./providers.tsx";

export const metadata: Metadata = {
  title: { default: "Rapport", template: "%s · Rapport" },
  description: "The context store for sales and go-to-market agents.",
  applicationName: "Rapport",
  manifest: "/manifest.webmanifest",
  icons: { icon: [{ url: "/icon.svg", type: "image/svg+xml" }], apple: "/apple-touch-icon.png" },
  formatDetection: { telephone: false, email: false, address: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#0d0e10" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    // The theme's class is set by a script before hydration.
    <html
      lang="en"
      data-locale={localeOfReader()}
      data-phone={readerHasPhone() || undefined}
      className={fontVariables}
      suppressHydrationWarning
    >
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  );
}
