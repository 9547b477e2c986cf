import { LoaderCircle } from "lucide-react";
import { cn } from "./cn.ts";

/** For the inside of a busy control. A page that loads shows skeletons. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden="true" className={cn("size-4 animate-spin", className)} />;
}
