declare module "pg/lib/utils.js" {
  const utils: {
    /** A value as pg sends it: text, bytes or null. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}
