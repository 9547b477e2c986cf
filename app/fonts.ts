import localFont from "next/font/local";

// Next reads these calls while it compiles, so their values are written out. How the files are made: fonts/README.md.

const latin = localFont({
  src: "./fonts/geist-latin.woff2",
  variable: "--font-geist-latin",
  weight: "100 900",
  declarations: [
    { prop: "unicode-range", value: "U+0000-00FF, U+2000-20FF, U+2122, U+2190-21FF, U+2212, U+2300-23FF" },
  ],
});

const more = localFont({
  src: "./fonts/geist-more.woff2",
  variable: "--font-geist-more",
  weight: "100 900",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value: "U+0100-1FFF, U+2100-2121, U+2123-218F, U+2200-2211, U+2213-22FF, U+2400-FFFF",
    },
  ],
});

const monoLatin = localFont({
  src: "./fonts/geist-mono-latin.woff2",
  variable: "--font-geist-mono-latin",
  weight: "100 900",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    { prop: "unicode-range", value: "U+0000-00FF, U+2000-20FF, U+2122, U+2190-21FF, U+2212, U+2300-23FF" },
  ],
});

const monoMore = localFont({
  src: "./fonts/geist-mono-more.woff2",
  variable: "--font-geist-mono-more",
  weight: "100 900",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value: "U+0100-1FFF, U+2100-2121, U+2123-218F, U+2200-2211, U+2213-22FF, U+2400-FFFF",
    },
  ],
});

/** Defines the variables that `globals.css` names. */
export const fontVariables = [latin, more, monoLatin, monoMore].map(({ variable }) => variable).join(" ");
