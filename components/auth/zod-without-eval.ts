import { config } from "zod";

// zod compiles object schemas with `new Function`, which the content security policy refuses and reports. A module with
// schemas of forms imports this, so that zod does not even try; on the server, where it also runs, it may. It does not pass
// `z` on: an import of `z` from zod itself bundles the parts it uses, one from here would bundle all of zod.
if (typeof window !== "undefined") config({ jitless: true });
