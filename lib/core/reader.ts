import { singleton } from "./singleton.ts";

/**
 * On the server: the locale of the reader for whom a page is rendered. The front sets how it is found; without it, it is
 * not known.
 */
export const pageReader = singleton("page-reader", () => ({ locale: (): string | undefined => undefined }));
