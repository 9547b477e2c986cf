/** On the server `lib/http/reader.ts` answers, which knows the reader of the page. */
type Server = { [key: symbol]: { locale: () => string | undefined; hasPhone: () => boolean | undefined } | undefined };
const pageReader = Symbol.for("rapport.page-reader");

/**
 * How the reader writes numbers and dates: what the browser asked the server for. The layout puts it on the document, so
 * that the server's HTML and the browser's first render are the same.
 */
export const localeOfReader = (): string =>
  typeof document === "undefined"
    ? ((globalThis as unknown as Server)[pageReader]?.locale() ?? "en")
    : (document.documentElement.dataset.locale ?? "en");

/** Whether the browser says that it is a phone's. Not all do; then it is false. */
export const readerHasPhone = (): boolean =>
  typeof document === "undefined"
    ? ((globalThis as unknown as Server)[pageReader]?.hasPhone() ?? false)
    : document.documentElement.dataset.phone !== undefined;
