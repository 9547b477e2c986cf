/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  compress: true,
  // Pages, and the two files that need Next. The API's `route.ts` files are the front's: Next would only compile them.
  pageExtensions: ["tsx", "next.ts"],
  // What Node loads as well as a bundle would: natives, and packages whose size is data (a tokenizer's table alone took
  // 30 s to compile). The front has loaded most of them already, so a page shares them.
  serverExternalPackages: [
    "@node-rs/argon2",
    "@opentelemetry/api",
    "@prisma/adapter-pg",
    "@prisma/client",
    "email-providers",
    "gpt-tokenizer",
    "ipaddr.js",
    "jose",
    "libphonenumber-js",
    "lru-cache",
    "nodemailer",
    "openid-client",
    "pg",
    "pino",
    "rate-limiter-flexible",
    "tldts",
    "zod",
  ],
  // `npm test` checks types; a start does not.
  typescript: {
    ignoreBuildErrors: true,
    ...(process.env.PAGES_TSCONFIG ? { tsconfigPath: process.env.PAGES_TSCONFIG } : {}),
  },
  experimental: {
    // A page that cannot be fetched is fetched when the connection is back, instead of leaving the page at hand.
    useOffline: true,
    // A build from nothing takes less than writing what would make the next one faster.
    turbopackFileSystemCacheForBuild: false,
    turbopackSourceMaps: process.env.NODE_ENV !== "production",
    turbopackInputSourceMaps: process.env.NODE_ENV !== "production",
  },
  // Set by bin/pages.ts: every state of the sources has a folder of its own, and all instances give it the same id.
  ...(process.env.PAGES_FOLDER
    ? { distDir: process.env.PAGES_FOLDER, generateBuildId: () => process.env.PAGES_FOLDER.split("-").at(-1) }
    : {}),
};
