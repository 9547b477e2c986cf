import { config } from "zod";

// zod compiles object schemas with `new Function`, which the content security policy refuses and reports. A module with
// schemas of forms imports this, so that zod does not even try; on the server, where it also runs, it may. It does not pass
// `z` on: who takes `z` from zod itself gets the parts it uses, who takes it from here gets all of zod.
if (typeof window !== "undefined") config({ jitless: true });
