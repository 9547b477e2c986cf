import { z } from "zod";

// zod compiles object schemas with `new Function`, which the content security policy refuses and reports. Schemas of forms
// import zod from here, so that it does not even try; on the server, where this module also runs, it may.
if (typeof window !== "undefined") z.config({ jitless: true });

export { z };
