/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  compress: true,
  // No page shows a picture through Next, so what would resize them (sharp) is never loaded.
  images: { unoptimized: true },
  // Pages, and the two files that need Next. The front runs the API's `route.ts` files: Next would only compile them.
  pageExtensions: ["tsx", "next.ts"],
  // Packages that Node loads as well as a bundle would: native ones, and those that are mostly data (a tokenizer's table
  // alone took 30 s to compile). The front has already loaded most of them, so pages share them.
  serverExternalPackages: [
    "@node-rs/argon2",
    "@opentelemetry/api",
    "@prisma/adapter-pg",
    "@prisma/client",
    "email-providers",
    "email-reply-parser",
    "fast-xml-parser",
    "gpt-tokenizer",
    "imapflow",
    "ipaddr.js",
    "jose",
    "libphonenumber-js",
    "lru-cache",
    "node-ical",
    "nodemailer",
    "openid-client",
    "pg",
    "pino",
    "postal-mime",
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
    // A page that cannot be fetched is fetched when the connection is back, instead of leaving the current page.
    useOffline: true,
    // A build from scratch takes less time than writing a cache for the next one.
    turbopackFileSystemCacheForBuild: false,
    // Fewer and larger files: small ones repeat each other's modules and compress worse (docs/decisions/0093).
    turbopackChunking: { minChunkSize: 200_000, maxMergeChunkSize: 400_000 },
    turbopackSourceMaps: process.env.NODE_ENV !== "production",
    turbopackInputSourceMaps: process.env.NODE_ENV !== "production",
  },
  // Set by bin/pages.ts: every state of the sources has its own folder, and all instances use the same id for it.
  ...(process.env.PAGES_FOLDER
    ? { distDir: process.env.PAGES_FOLDER, generateBuildId: () => process.env.PAGES_FOLDER.split("-").at(-1) }
    : {}),
};
