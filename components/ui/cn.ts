import { type ClassValue, clsx } from "clsx";
import { merge } from "./merge.ts";

/** Joins class names; of two Tailwind classes for the same property the later one wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
