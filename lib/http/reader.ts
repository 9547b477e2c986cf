import { AsyncLocalStorage } from "node:async_hooks";
import { singleton } from "#lib/core/singleton.ts";

type Reader = { locale: string; hasPhone: boolean };

const readers = new AsyncLocalStorage<Reader>();

/** Read by `components/ui/reader.ts` while a page is rendered; undefined when no page is. */
export const pageReader = singleton("page-reader", () => ({
  locale: (): string | undefined => readers.getStore()?.locale,
  hasPhone: (): boolean | undefined => readers.getStore()?.hasPhone,
}));

type Header = (name: "accept-language" | "sec-ch-ua-mobile") => string | undefined;

/** Renders a page for a reader, so that its numbers are written as they will be in the browser, and its lists fit a phone. */
export const asReader = <T>(header: Header, work: () => T): T =>
  readers.run(
    { locale: localeOf(header("accept-language")), hasPhone: header("sec-ch-ua-mobile")?.trim() === "?1" },
    work,
  );

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
