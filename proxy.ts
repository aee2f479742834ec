import { type NextRequest, NextResponse } from 'next/server'
import { environments } from '@/lib/operations/define'
import { connectPath, cspReportsPath, isOpenPath, newPath, signInPath } from '@/lib/routes'
import { env } from '@/lib/server/config/env'

/** The request header with the full path, so that a layout can return there after sign-in. A value from the client is overwritten. */
const pathHeader = 'x-paydesk-path'

/** The session cookie's name, without and with https. A long cookie comes in numbered parts. */
const sessionCookie = /^(?:__Host-)?paydesk\.session(?:\.\d+)?$/

/** Returns the `frame-src` of a page: the bank connection may frame its hosted page's origin, other pages nothing. */
function framesOf(path: string): string {
  const environment = environments.find((name) => path === connectPath(name))
  return (environment && env().bridgeOrigins[environment]) ?? "'none'"
}

/** The name of the reporting endpoint. Newer browsers accept one over https only. */
const reportsTo = 'csp'

const isSecure = () => env().appOrigin.startsWith('https:')

function policy(nonce: string, path: string): string {
  // Development only: React evaluates strings to rebuild stack traces, and the query devtools insert styles without a nonce.
  // biome-ignore lint/style/noProcessEnv: a constant of the build, not a setting
  const isDevelopment = process.env.NODE_ENV === 'development'
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${framesOf(path)}`,
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    `report-uri ${cspReportsPath}`,
    ...(isSecure() ? [`report-to ${reportsTo}`] : []),
  ].join('; ')
}

function freshNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))))
}

/**
 * Sets the CSP of pages, and redirects requests without a session cookie to the sign-in page. It authorizes nothing: every page and every
 * request checks permissions itself, with or without this file.
 */
export function proxy(request: NextRequest): NextResponse {
  const csp = policy(freshNonce(), request.nextUrl.pathname)
  const signedOut = !request.cookies.getAll().some(({ name }) => sessionCookie.test(name))
  const response = signedOut && !isOpenPath(request.nextUrl.pathname) ? toSignIn(request) : (toConnect(request) ?? onwards(request, csp))
  response.headers.set('Content-Security-Policy', csp)
  if (isSecure()) response.headers.set('Reporting-Endpoints', `${reportsTo}="${cspReportsPath}"`)
  return response
}

function toSignIn({ nextUrl }: NextRequest): NextResponse {
  const path = `${nextUrl.pathname}${nextUrl.search}`
  // Next sends a redirect to its own host as a relative one, so the host behind a load balancer never reaches the browser.
  return NextResponse.redirect(new URL(signInPath(path === '/' ? undefined : path), nextUrl))
}

/**
 * Redirects the page for a new paykey to the bank connection page, which creates paykeys. The page itself cannot redirect in time: its
 * response has begun, so the browser would render it first and then navigate away from the user.
 */
function toConnect({ nextUrl }: NextRequest): NextResponse | undefined {
  const environment = environments.find((name) => nextUrl.pathname === newPath(name, 'paykeys'))
  return environment && NextResponse.redirect(new URL(`${connectPath(environment)}${nextUrl.search}`, nextUrl))
}

function onwards(request: NextRequest, csp: string): NextResponse {
  const headers = new Headers(request.headers)
  // Next takes the nonce of its scripts from this request header.
  headers.set('Content-Security-Policy', csp)
  headers.set(pathHeader, `${request.nextUrl.pathname}${request.nextUrl.search}`)
  return NextResponse.next({ request: { headers } })
}

export const config = {
  // The API sends its own headers, and a body that passed through here would be cut at 10 MiB. Built files and those in public/ are the
  // same for all users.
  matcher: [
    '/((?!api/|_next/static/|(?:apple-touch-icon\\.png|favicon\\.ico|icon\\.svg|icon-[a-z0-9-]+\\.png|manifest\\.webmanifest|robots\\.txt|verify-paydesk\\.mjs)$).*)',
  ],
}
