export { countriesOf, countryLike, countryNames, countryOf, regionLike, regionsOf } from "./places.ts";
export { sectorsOf } from "./sectors.ts";
export { technologies } from "./technologies.ts";
export { silentWords } from "./text.ts";
export { departments, departmentsOf, seniorities, titlesLike } from "./titles.ts";
