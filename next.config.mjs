import { existsSync, readdirSync } from 'node:fs'

// The file names in public/ contain no hash of the content. Therefore browsers check for a new
// version after a day.
const publicFileHeaders = readdirSync(new URL('public', import.meta.url)).map((name) => ({
  source: `/${name}`,
  headers: [{ key: 'Cache-Control', value: 'public, max-age=86400' }],
}))

/** @type {import('next').NextConfig} */
export default {
  // `npm test` checks all types with the native compiler. A build would check them with the older
  // compiler, which is installed for other tools.
  typescript: { ignoreBuildErrors: true },
  // The folder of the build. The server sets PAGES_FOLDER to the build that it serves. A build and
  // `npm run dev` write to `.next/new`; see `scripts/start/pages.mjs`.
  distDir: process.env.PAGES_FOLDER ?? '.next/new',
  poweredByHeader: false,
  headers: async () => publicFileHeaders,
  experimental: {
    // The code of a page is loaded at its first visit, which then takes 0.1 s longer. In return,
    // the start of the server needs about 17 % less memory and 20 % less CPU time.
    preloadEntriesOnStart: false,
    // Writing the cache takes about 33 % of a build's time, and most clones are built only once.
    // Therefore it is written from the second build on.
    turbopackFileSystemCacheForBuild: existsSync(new URL('.next/current', import.meta.url)),
    // Fewer and larger scripts per page. The scripts of a record's page are 3 kB smaller in total,
    // because gzip finds more repetition. With even larger scripts, pages would share less code,
    // and a person would download more in a day of work.
    turbopackChunking: {
      minChunkSize: 150_000,
      maxChunkCountPerGroup: 10,
      requestCost: 1_000_000,
      firstPageLoadPriority: 0.9,
    },
  },
  // Next's image optimizer is off, because it would decode untrusted bytes on our server. All
  // images here are our own and already small.
  images: { unoptimized: true },
  // These packages open files and sockets, so each must be loaded only once per process.
  serverExternalPackages: [
    '@electric-sql/pglite',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-base',
    'nodemailer',
    'pg',
    'pg-boss',
    'pino',
    'prom-client',
    'undici',
  ],
}
