import 'server-only'

/** What an answer that is not a page may do when somebody opens it as one: nothing. Pages have a policy of their own, with a nonce. */
const nothing = "default-src 'none'; frame-ancestors 'none'; sandbox"

/**
 * The headers of every answer, whoever makes it: page, redirect, file, API and refusal. Our HTTP server adds those that an answer does not have,
 * so what wants another value (a page's policy, the cache life of built files) sets it and nobody else repeats these.
 */
export const responseHeaders: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': nothing,
}
