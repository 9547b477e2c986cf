import { type CountryCode, getCountries, isSupportedCountry } from "libphonenumber-js/max";
import { Fault } from "#lib/core/errors.ts";
import { fold } from "#lib/text/fold.ts";

export type { CountryCode };

const LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl", "pl"];

/** What people write for a country beside its names and two letters. */
const SHORT: Readonly<Record<string, CountryCode>> = {
  uk: "GB",
  "great britain": "GB",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  usa: "US",
  "u.s.": "US",
  "u.s.a.": "US",
  "united states of america": "US",
  america: "US",
  uae: "AE",
  holland: "NL",
  "czech republic": "CZ",
  "south korea": "KR",
  turkey: "TR",
  deu: "DE",
  ger: "DE",
  aut: "AT",
  che: "CH",
  sui: "CH",
  fra: "FR",
  gbr: "GB",
  esp: "ES",
  ita: "IT",
  nld: "NL",
  pol: "PL",
  prt: "PT",
  bra: "BR",
  can: "CA",
};

let byName: ReadonlyMap<string, CountryCode> | null = null;

function names(): ReadonlyMap<string, CountryCode> {
  if (byName) return byName;
  const found = new Map<string, CountryCode>(Object.entries(SHORT));
  for (const language of LANGUAGES) {
    const shown = new Intl.DisplayNames(language, { type: "region" });
    for (const code of getCountries()) found.set(fold(shown.of(code) ?? code), code);
  }
  for (const code of getCountries()) found.set(code.toLowerCase(), code);
  byName = found;
  return found;
}

/** The country of a name in one of eight languages, or of its two letters; null when it is none. */
export const countryIn = (text: string): CountryCode | null => names().get(fold(text)) ?? null;

/** Throws 400 for letters that are of no country. */
export function requireCountry(code: string): void {
  if (isSupportedCountry(code)) return;
  throw new Fault("invalid_parameter", { parameter: "phone_country" }, `phone_country: ${code} is no country.`);
}

/** The country of a website's last part: `acme.de` is of Germany; null for `.com` and others that are of none. */
export function countryOfWebsite(website: string | null): CountryCode | null {
  const host = website?.replace(/^[a-z]+:\/\//i, "").split(/[/?#:]/)[0] ?? "";
  const last = host.slice(host.lastIndexOf(".") + 1).toUpperCase();
  const code = last === "UK" ? "GB" : last;
  const isGeneric = ["IO", "AI", "CO", "ME", "TV", "CC", "FM", "SH", "GG", "LY"].includes(code);
  return host.includes(".") && !isGeneric && isSupportedCountry(code) ? code : null;
}
