import { listCompanies, listPeople } from "#lib/domain/crm/people/contract.ts";
import type { ViewSubject } from "./contract.ts";

/** How many shared views a list keeps, and how many of one person. */
export const MOST_VIEWS = 100;

/** Parameters of the operation that are not part of a view, and what the page adds to them. */
const ofOnePage = new Set(["limit", "offset", "cursor", "include", "properties"]);
const ofThePage = ["property", "cols", "widths", "layout"];

/** Those that name a field after a dot. */
const ofFields = ["property", "company"];

const parametersOf = ({ input }: typeof listPeople | typeof listCompanies): Set<string> =>
  new Set([...Object.keys(input.shape).filter((name) => !ofOnePage.has(name)), ...ofThePage]);

const parameters: Readonly<Record<ViewSubject, ReadonlySet<string>>> = {
  people: parametersOf(listPeople),
  companies: parametersOf(listCompanies),
};

/** The first parameter of a place that its list does not have; null when there is none. */
export function strayParameter(list: ViewSubject, place: string): string | null {
  const isOwn = (name: string) => {
    const [part = ""] = name.split(".", 1);
    return parameters[list].has(part) && (part === name || ofFields.includes(part));
  };
  return [...new URLSearchParams(place).keys()].find((name) => !isOwn(name)) ?? null;
}
