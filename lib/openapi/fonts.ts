import { readFile } from "node:fs/promises";
import { type Answer, handler } from "#lib/http/exchange.ts";

/* The app's fonts at /docs, which the front serves without the built pages and their addresses. */

const folder = new URL("../../app/fonts/", import.meta.url);

/** As app/fonts.ts has them. */
const LATIN = "U+0000-00FF, U+2000-20FF, U+2122, U+2190-21FF, U+2212, U+2300-23FF";
const MORE = "U+0100-1FFF, U+2100-2121, U+2123-218F, U+2200-2211, U+2213-22FF, U+2400-FFFF";
const faces = [
  { family: "Geist", file: "geist-latin.woff2", range: LATIN },
  { family: "Geist", file: "geist-more.woff2", range: MORE },
  { family: "Geist Mono", file: "geist-mono-latin.woff2", range: LATIN },
  { family: "Geist Mono", file: "geist-mono-more.woff2", range: MORE },
] as const;

export const fontFaces = faces
  .map(
    ({ family, file, range }) =>
      `@font-face{font-family:"${family}";src:url(/docs/fonts/${file}) format("woff2");font-weight:100 900;font-display:swap;unicode-range:${range}}`,
  )
  .join("\n");

const absent: Answer = { status: 404, headers: { "Cache-Control": "no-store" }, body: null };

/** `GET /docs/fonts/:name` */
export const docsFont = handler(async ({ params }) => {
  const face = faces.find(({ file }) => file === params.name);
  if (!face) return absent;
  return {
    status: 200,
    headers: {
      "Content-Type": "font/woff2",
      "Cache-Control": "public, max-age=604800",
    },
    body: await readFile(new URL(face.file, folder)),
  };
});
