import { AsyncLocalStorage } from "node:async_hooks";
import { singleton } from "#lib/core/singleton.ts";

const locales = new AsyncLocalStorage<string>();

/** Read by `components/ui/reader.ts` while a page is rendered; undefined when no page is. */
export const pageReader = singleton("page-reader", () => ({ locale: (): string | undefined => locales.getStore() }));

/** Renders a page for a reader, so that its numbers are written as they will be in the browser. */
export const asReader = <T>(acceptLanguage: string | undefined, work: () => T): T =>
  locales.run(localeOf(acceptLanguage), work);

/** The first language that the browser asks for; English when it names none that exists. */
export function localeOf(acceptLanguage = ""): string {
  const [first = ""] = acceptLanguage.split(",");
  const [tag = ""] = first.split(";");
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag.trim())[0] ?? "en";
  } catch {
    return "en";
  }
}
