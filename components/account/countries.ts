/** Codes that the standard keeps for something that is no country. */
const others = new Set(["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"]);

const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));

type Country = { code: string; name: string };

/** The countries of the world by name. */
export function countries(): Country[] {
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return codes
    .flatMap((code) => {
      const name = others.has(code) || !isCurrent(code) ? undefined : names.of(code);
      return name ? [{ code, name }] : [];
    })
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/** False for codes of countries that are no more, such as `DD`. */
const isCurrent = (code: string): boolean => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

/** `Germany` for `DE`; any other text as it is. */
export const countryName = (text: string): string =>
  /^[A-Z]{2}$/.test(text) && !others.has(text) ? (names.of(text) ?? text) : text;

/** `DE` for `Germany` or `de`; any other text as it is. */
export function countryCode(text: string): string {
  const wanted = text.trim();
  const folded = wanted.toLowerCase();
  const match = countries().find(({ code, name }) => code.toLowerCase() === folded || name.toLowerCase() === folded);
  return match?.code ?? wanted;
}
