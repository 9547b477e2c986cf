import { pageReader } from "#lib/core/reader.ts";

/**
 * How the reader writes numbers and dates: what the browser asked the server for. The layout puts it on the document, so
 * that the server's HTML and the browser's first render are the same.
 */
export const localeOfReader = (): string =>
  typeof document === "undefined" ? (pageReader.locale() ?? "en") : (document.documentElement.dataset.locale ?? "en");
