export { recordAbout, refresh } from "./service/record.ts";
