import { existsSync, readdirSync } from 'node:fs'

// File names in public/ contain no content hash, so browsers revalidate them after a day.
const keptForADay = readdirSync(new URL('public', import.meta.url)).map((name) => ({
  source: `/${name}`,
  headers: [{ key: 'Cache-Control', value: 'public, max-age=86400' }],
}))

/** @type {import('next').NextConfig} */
export default {
  // `npm test` checks all types with the native compiler. A build would use the older compiler, which other tools need.
  typescript: { ignoreBuildErrors: true },
  // The server sets PAGES_FOLDER to the build it serves. A build and `npm run dev` use the other folder; see `scripts/start/pages.mjs`.
  distDir: process.env.PAGES_FOLDER ?? '.next/new',
  poweredByHeader: false,
  headers: async () => keptForADay,
  // Fewer, larger scripts per page: a record's scripts are 3 kB smaller in total, because gzip finds more repetition. With still larger
  // chunks pages share so little that a day's work loads more.
  experimental: {
    // Loads a page's code at its first visit, which takes 0.1 s longer. The server starts with a sixth less memory and a fifth less work.
    preloadEntriesOnStart: false,
    // Writing the cache takes a third of a build, and most clones are built once. The second build writes it.
    turbopackFileSystemCacheForBuild: existsSync(new URL('.next/current', import.meta.url)),
    turbopackChunking: { minChunkSize: 150_000, maxChunkCountPerGroup: 10, requestCost: 1_000_000, firstPageLoadPriority: 0.9 },
  },
  // The optimizer decodes untrusted bytes on our server. Every image here is our own and already small.
  images: { unoptimized: true },
  // These packages open files and sockets and must stay one copy per process.
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
