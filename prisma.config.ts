/** For Prisma's own command line: `npx prisma@7.10.0 studio`, say. Nothing here needs it. */
export default { schema: "prisma/schema" };
