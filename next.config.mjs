import { existsSync, readdirSync } from 'node:fs'

// Their names carry no hash of what is in them, so browsers ask anew after a day.
const keptForADay = readdirSync(new URL('public', import.meta.url)).map((name) => ({
  source: `/${name}`,
  headers: [{ key: 'Cache-Control', value: 'public, max-age=86400' }],
}))

/** @type {import('next').NextConfig} */
export default {
  // `npm test` checks the types of everything with the native compiler; here it would be the older one, which tools read TypeScript with.
  typescript: { ignoreBuildErrors: true },
  // The server sets PAGES_FOLDER to the build it serves. A build and `npm run dev` use the other folder; see `scripts/pages-folder.mjs`.
  distDir: process.env.PAGES_FOLDER ?? '.next/new',
  poweredByHeader: false,
  headers: async () => keptForADay,
  // A page sends for fewer, larger scripts: those of a record weigh 3 kB less in all, as gzip finds more that repeats. Larger than this, pages share
  // so little that a day's work costs more.
  experimental: {
    // A page's code is loaded at the first visit, which takes 0.1 s longer: the server starts with a sixth less memory and a fifth less work.
    preloadEntriesOnStart: false,
    // To write the cache takes a third of a build, and most clones are built once: the second build writes it.
    turbopackFileSystemCacheForBuild: existsSync(new URL('.next/current', import.meta.url)),
    turbopackChunking: { minChunkSize: 150_000, maxChunkCountPerGroup: 10, requestCost: 1_000_000, firstPageLoadPriority: 0.9 },
  },
  // The optimiser decodes foreign bytes on our server; every image here is our own and already small.
  images: { unoptimized: true },
  // They open files and sockets and must stay one copy per process.
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
