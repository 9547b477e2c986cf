import manifest from "../../package.json" with { type: "json" };

/** Of this Rapport, as in package.json. */
export const VERSION: string = manifest.version;
