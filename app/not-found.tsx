import type { Metadata } from "next";
import Link from "next/link";
import { Logo } from "#components/frame/logo.tsx";
import { Button } from "#components/ui/button.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-4 px-4 py-12">
      <Logo />
      <div>
        <h1 className="font-semibold text-xl tracking-tight">There is nothing here</h1>
        <p className="mt-1 text-muted-foreground">
          The page moved, was deleted, or belongs to a workspace you are not a member of.
        </p>
      </div>
      <Button asChild className="self-start">
        <Link href="/">Go to your workspace</Link>
      </Button>
    </main>
  );
}
