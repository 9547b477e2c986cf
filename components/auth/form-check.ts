import type { Resolver } from "react-hook-form";
import type { z } from "zod";
import { whileIdle } from "#components/ui/while-idle.ts";
import type { Forms } from "./forms.ts";

const load = async () => {
  const [{ forms }, { zodResolver }] = await Promise.all([import("./forms.ts"), import("@hookform/resolvers/zod")]);
  return { forms, zodResolver };
};
whileIdle(load);

/**
 * The check of a form. Its code, zod, is a quarter of such a page, so it loads when the browser is idle or the form is
 * sent. When it cannot be loaded the answer of the server says what is wrong.
 */
export function checkOf<Name extends keyof Forms>(
  name: Name,
): Resolver<z.input<Forms[Name]>, unknown, z.output<Forms[Name]>> {
  return async (values, context, options) => {
    const check = await load().catch(() => null);
    if (!check) return { values: values as z.output<Forms[Name]>, errors: {} };
    return (check.zodResolver(check.forms[name]) as ReturnType<typeof checkOf<Name>>)(values, context, options);
  };
}
