import { type NextRequest, NextResponse } from 'next/server'
import { environments } from '@/lib/operations/define'
import { connectPath, cspReportsPath, isOpenPath, newPath, signInPath } from '@/lib/routes'
import { env } from '@/lib/server/config/env'

/** The header that tells a layout the whole path, for the way back after signing in. Whatever a client sends under this name is overwritten. */
const pathHeader = 'x-paydesk-path'

/** Either name the session cookie has, with and without https; a long one comes in numbered parts. */
const sessionCookie = /^(?:__Host-)?paydesk\.session(?:\.\d+)?$/

/** What a page may frame: that of the bank connection the one origin its hosted page comes from, every other page nothing. */
function framesOf(path: string): string {
  const environment = environments.find((name) => path === connectPath(name))
  return (environment && env().bridgeOrigins[environment]) ?? "'none'"
}

/** The name of the place that newer browsers report to; they know it over https only. */
const reportsTo = 'csp'

const isSecure = () => env().appOrigin.startsWith('https:')

function policy(nonce: string, path: string): string {
  // Development only: React evaluates strings to rebuild stack traces, and the devtools of the query cache insert styles without a nonce.
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
 * The policy of pages, and a short way to the sign-in page for who has no session cookie at all. It decides nothing about rights: every page and
 * every request asks for itself, with or without this file.
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
  // Next sends an address on its own host as a relative one, so the host seen behind a load balancer never reaches the browser.
  return NextResponse.redirect(new URL(signInPath(path === '/' ? undefined : path), nextUrl))
}

/**
 * A paykey is made by connecting a bank account, which has a page of its own. A page cannot lead there in time: its answer has begun by then, so the
 * browser draws it, and goes on from under whoever begins to use it.
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
  // The API answers for itself, and a body that came through here would be cut at 10 MiB; built files and those in public/ are the same for everybody.
  matcher: [
    '/((?!api/|_next/static/|(?:apple-touch-icon\\.png|favicon\\.ico|icon\\.svg|icon-[a-z0-9-]+\\.png|manifest\\.webmanifest|robots\\.txt|verify-paydesk\\.mjs)$).*)',
  ],
}
