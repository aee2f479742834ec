/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  // The optimiser decodes foreign bytes on our server; every image here is our own and already small.
  images: { unoptimized: true },
  // They open files and sockets and must stay one copy per process.
  serverExternalPackages: ['@electric-sql/pglite', 'pg', 'pino', 'undici'],
}
