import Link from "next/link";
import type { ReactNode } from "react";

export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="rounded-xs text-primary-text underline underline-offset-3 hover:no-underline">
      {children}
    </Link>
  );
}
