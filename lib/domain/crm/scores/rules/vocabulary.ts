export { countriesOf, countryNames, regionsOf } from "./places.ts";
export { sectorsOf } from "./sectors.ts";
export { technologies } from "./technologies.ts";
export { departments, departmentsOf, seniorities } from "./titles.ts";
