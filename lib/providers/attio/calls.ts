import { askerOf } from "../crm.ts";

export const ATTIO = "Attio";

export const ask = askerOf(ATTIO);
