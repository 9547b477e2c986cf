import Link from "next/link";
import type { ReactNode } from "react";
import { Logo } from "#components/frame/logo.tsx";
import { ThemeToggle } from "#components/ui/theme-toggle.tsx";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col sm:bg-sidebar">
      <header className="flex items-center justify-between p-4">
        <Link href="/" aria-label="Rapport" className="rounded-md">
          <Logo wordmark />
        </Link>
        <ThemeToggle />
      </header>
      <main className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center gap-4 px-4 pt-4 pb-16 sm:pb-24">
        {children}
      </main>
    </div>
  );
}
