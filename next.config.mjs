/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // Native modules and what the front loads itself stay outside the bundles.
  serverExternalPackages: ["@node-rs/argon2", "pg", "@prisma/adapter-pg", "@prisma/client", "pino", "nodemailer"],
  devIndicators: false,
  compress: true,
  // A page that cannot be fetched is fetched when the connection is back, instead of leaving the page at hand.
  experimental: { useOffline: true },
};
