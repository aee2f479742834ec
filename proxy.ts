import { type NextRequest, NextResponse } from 'next/server'
import { environments } from '@/lib/operations/define'
import {
  connectBankAccountPath,
  cspReportsPath,
  isPublicPath,
  newRecordPath,
  signInPath,
} from '@/lib/routes'
import { env } from '@/lib/server/config/env'

/**
 * The request header with the full path, so that a layout can return to the page after sign-in. A
 * client's value is overwritten.
 */
const pathHeader = 'x-paydesk-path'

/**
 * Matches the name of the session cookie, without and with https. A long cookie is split into
 * numbered parts.
 */
const sessionCookiePattern = /^(?:__Host-)?paydesk\.session(?:\.\d+)?$/

/**
 * Returns the value of `frame-src` for a path. Every page can frame our own page for PDFs, and the
 * page that connects a bank account also the provider's.
 */
function getFrameSources(path: string): string {
  const environment = environments.find((name) => path === connectBankAccountPath(name))
  const bridgeOrigin = environment && env().bridgeOrigins[environment]
  return bridgeOrigin ? `'self' ${bridgeOrigin}` : "'self'"
}

/**
 * The name of the endpoint for CSP reports in newer browsers, which accept an endpoint only over
 * https. Others use `report-uri`.
 */
const reportEndpointName = 'csp'

const isHttpsOrigin = () => env().appOrigin.startsWith('https:')

function buildCsp(nonce: string, path: string): string {
  // Only in development, React evaluates strings to reconstruct stack traces, and the query
  // devtools insert styles without a nonce. These need `unsafe-eval` and `unsafe-inline`.
  // biome-ignore lint/style/noProcessEnv: a constant of the build, not a setting
  const isDevelopment = process.env.NODE_ENV === 'development'
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${getFrameSources(path)}`,
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    `report-uri ${cspReportsPath}`,
    ...(isHttpsOrigin() ? [`report-to ${reportEndpointName}`] : []),
  ].join('; ')
}

function createNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))))
}

/**
 * Sets the CSP of pages, and redirects requests without a session cookie to the sign-in page. It
 * grants no access: every page and every API request checks permissions itself.
 */
export function proxy(request: NextRequest): NextResponse {
  const csp = buildCsp(createNonce(), request.nextUrl.pathname)
  const isSignedOut = !request.cookies.getAll().some(({ name }) => sessionCookiePattern.test(name))
  const response =
    isSignedOut && !isPublicPath(request.nextUrl.pathname)
      ? redirectToSignIn(request)
      : (redirectToBankConnection(request) ?? continueRequest(request, csp))
  response.headers.set('Content-Security-Policy', csp)
  if (isHttpsOrigin())
    response.headers.set('Reporting-Endpoints', `${reportEndpointName}="${cspReportsPath}"`)
  return response
}

function redirectToSignIn({ nextUrl }: NextRequest): NextResponse {
  const path = `${nextUrl.pathname}${nextUrl.search}`
  // Next sends a redirect to its own host as a relative URL, so the browser never receives the name
  // of a host behind a load balancer.
  return NextResponse.redirect(new URL(signInPath(path === '/' ? undefined : path), nextUrl))
}

/**
 * Redirects the URL of the form for a new paykey to the page that connects a bank account, because
 * connecting creates a paykey. The redirect is here because a page can redirect only after its
 * response has begun: the browser would show that page first.
 */
function redirectToBankConnection({ nextUrl }: NextRequest): NextResponse | undefined {
  const environment = environments.find(
    (name) => nextUrl.pathname === newRecordPath(name, 'paykeys'),
  )
  return (
    environment &&
    NextResponse.redirect(
      new URL(`${connectBankAccountPath(environment)}${nextUrl.search}`, nextUrl),
    )
  )
}

function continueRequest(request: NextRequest, csp: string): NextResponse {
  const headers = new Headers(request.headers)
  // Next reads the nonce for its scripts from this request header.
  headers.set('Content-Security-Policy', csp)
  headers.set(pathHeader, `${request.nextUrl.pathname}${request.nextUrl.search}`)
  return NextResponse.next({ request: { headers } })
}

export const config = {
  // The API is excluded because it sends its own headers, and because a body that passes through
  // the proxy is truncated at 10 MiB. Built files and those in public/ are excluded because they
  // are the same for all people.
  matcher: [
    '/((?!api/|_next/static/|(?:apple-touch-icon\\.png|favicon\\.ico|icon\\.svg|icon-[a-z0-9-]+\\.png|manifest\\.webmanifest|robots\\.txt|verify-paydesk\\.mjs)$).*)',
  ],
}
