import { notFound } from "next/navigation";
import { requireMember } from "#lib/auth/member.ts";

/** An address without a page: said inside the frame. */
export default async function MissingPage({ params }: { params: Promise<{ workspace: string }> }) {
  await requireMember((await params).workspace);
  notFound();
}
