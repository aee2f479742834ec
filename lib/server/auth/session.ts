import 'server-only'
import { cookies, headers } from 'next/headers'
import NextAuth, { type NextAuthOptions } from 'next-auth'
import { decode } from 'next-auth/jwt'
import CredentialsProvider from 'next-auth/providers/credentials'
import { cache } from 'react'
import { AppError } from '@/lib/errors'
import { signInPath } from '@/lib/routes'
import { readClient, readClientAddress, toNetwork } from '@/lib/server/audit/client'
import { env } from '@/lib/server/config/env'
import { metrics } from '@/lib/server/counters'
import { log } from '@/lib/server/log'
import { getDatabase } from '@/lib/server/store/store'
import { parseAgent } from './agent'
import type { Person } from './people'
import { type Actor, dropCachedSession, findActor } from './session-rows'
import {
  countNetworkTry,
  createDeviceCookie,
  endSession,
  getDeviceCookieName,
  giveNetworkTriesBack,
  openSession,
  type Visitor,
} from './sign-in'
import { createSsoProvider, type SsoVisit } from './sso/provider'

const sessionSeconds = 8 * 60 * 60

/**
 * Returns the name of the session cookie. The prefix `__Host-` requires https: over http on
 * loopback, browsers refuse a cookie with it.
 */
export const getSessionCookieName = (): string =>
  env().appOrigin.startsWith('https:') ? '__Host-paydesk.session' : 'paydesk.session'

const addCookiePrefix = (prefix: string, name: string) =>
  env().appOrigin.startsWith('https:') ? `${prefix}${name}` : name

/**
 * One request to next-auth: its visitor, and its outcome. next-auth does not return the outcome, so
 * its callbacks store it here.
 */
type AuthVisit = SsoVisit & { opened?: Person; ended?: boolean }

/** Returns the absolute form of a URL of our own origin; for any other URL, our origin. */
function toOwnUrl(url: string): string {
  const { appOrigin } = env()
  return URL.canParse(url, appOrigin) && new URL(url, appOrigin).origin === appOrigin
    ? new URL(url, appOrigin).href
    : appOrigin
}

function createAuthOptions(visit: AuthVisit): NextAuthOptions {
  const { sso } = env()
  const isSecure = env().appOrigin.startsWith('https:')
  const cookieOptions = { httpOnly: true, secure: isSecure, path: '/' } as const
  // Creates a cookie that must arrive with the redirect from the identity provider. Browsers omit
  // `strict` cookies from that redirect.
  const createCrossSiteCookie = (name: string) =>
    ({
      name: addCookiePrefix('__Host-', `paydesk.${name}`),
      options: { ...cookieOptions, sameSite: 'lax', maxAge: 600 },
    }) as const
  return {
    secret: env().authSecret,
    session: { strategy: 'jwt', maxAge: sessionSeconds },
    pages: { signIn: signInPath(), error: signInPath(), signOut: signInPath() },
    cookies: {
      sessionToken: {
        name: getSessionCookieName(),
        options: { ...cookieOptions, sameSite: 'strict' },
      },
      callbackUrl: {
        name: addCookiePrefix('__Host-', 'paydesk.callback'),
        options: { ...cookieOptions, sameSite: 'lax' },
      },
      csrfToken: {
        name: addCookiePrefix('__Host-', 'paydesk.csrf'),
        options: { ...cookieOptions, sameSite: 'lax' },
      },
      state: createCrossSiteCookie('state'),
      nonce: createCrossSiteCookie('nonce'),
      pkceCodeVerifier: createCrossSiteCookie('pkce'),
    },
    providers: [
      ...(sso ? [createSsoProvider(sso, visit)] : []),
      CredentialsProvider({
        credentials: { email: {}, password: {} },
        // Must not throw: next-auth would show the error text in the address bar.
        authorize: async (given) => {
          const pendingSession = openSession(
            String(given?.email ?? ''),
            String(given?.password ?? ''),
            visit.visitor,
          )
          const openedSession = await pendingSession.catch((error: unknown) => {
            visit.failed = error
            return null
          })
          visit.opened = openedSession?.person
          metrics.signIns.inc({
            outcome: openedSession ? 'opened' : visit.failed ? 'not_checked' : 'refused',
          })
          return openedSession ? { id: openedSession.token } : null
        },
      }),
    ],
    callbacks: {
      // The JWT contains the session's token and nothing about the person. Each request checks the
      // session's row.
      jwt: ({ token, user }) => (user ? { sid: user.id } : { sid: token.sid }),
      session: ({ session }) => ({ expires: session.expires }),
      redirect: ({ url }) => toOwnUrl(url),
    },
    events: {
      signOut: async ({ token }) => {
        visit.ended = true
        if (typeof token?.sid !== 'string') return
        dropCachedSession(token.sid)
        await endSession(token.sid, visit.visitor.client)
      },
    },
    logger: {
      error: (code) => log.error({ event: 'session.error', code }),
      warn: (code) => log.warn({ event: 'session.warning', code }),
      debug: () => undefined,
    },
  }
}

type RouteContext = { params: Promise<{ nextauth: string[] }> }

const toVisitor = (request: Request): Visitor => ({
  client: readClient(request.headers),
  network: toNetwork(readClientAddress(request.headers) ?? ''),
  deviceCookie: readCookie(request, getDeviceCookieName()),
  agent: parseAgent(request.headers),
})

/**
 * Handles a request to next-auth, which only this module uses. If an error prevented the check of a
 * password, throws that error. A sign-in makes the browser a known device. A sign-out clears the
 * browser's cache and storage, but not its cookies, which contain preferences and the known device.
 */
export async function handleAuthRequest(
  request: Request,
  context: RouteContext,
): Promise<Response> {
  const visit: AuthVisit = { visitor: toVisitor(request), isFresh: false }
  const response: Response = await NextAuth(createAuthOptions(visit))(request, context)
  if (visit.failed) throw visit.failed
  if (visit.opened)
    response.headers.append('set-cookie', createDeviceCookie(visit.opened.email.toLowerCase()))
  if (visit.ended) response.headers.set('clear-site-data', '"cache", "storage"')
  return response
}

/**
 * Response of one step of single sign-on, and its outcome. `left`: the browser is redirected to the
 * identity provider. The other outcomes are those of the return from there.
 */
export type SsoAnswer = { response: Response; outcome: 'left' | 'entered' | 'refused' | 'failed' }

/**
 * Handles the redirect to the identity provider (`there`) and the return from it (`back`). Each
 * step first counts as a failed try of the visitor's network; a successful sign-in takes both back.
 * With `isFresh`, the provider must authenticate the person again. Throws `too_many`, and the error
 * that prevented a sign-in.
 */
export async function handleSsoRequest(
  request: Request,
  context: RouteContext,
  direction: 'there' | 'back',
  isFresh = false,
): Promise<SsoAnswer> {
  const visit: AuthVisit = { visitor: toVisitor(request), isFresh }
  const { network } = visit.visitor
  await countNetworkTry(network)
  const response: Response = await NextAuth(createAuthOptions(visit))(request, context)
  if (direction === 'there') return { response, outcome: 'left' }
  const outcome = visit.entered ? 'entered' : visit.isRefused ? 'refused' : 'failed'
  metrics.signIns.inc({
    outcome: outcome === 'entered' ? 'opened' : outcome === 'refused' ? 'refused' : 'not_checked',
  })
  if (visit.failed) throw visit.failed
  if (visit.entered) await giveNetworkTriesBack(await getDatabase(), network, 2)
  return { response, outcome }
}

const tokensByCookie = new Map<string, string>()

/**
 * Returns the session token in a cookie, or null. Caches decoded cookies, because decoding takes
 * longer than the rest of a read and a cookie never changes. The session's row is checked on each
 * request anyway.
 */
async function decodeToken(cookie: string | undefined): Promise<string | null> {
  if (!cookie) return null
  const cachedToken = tokensByCookie.get(cookie)
  if (cachedToken) return cachedToken
  const token = await decode({ token: cookie, secret: env().authSecret }).catch(() => null)
  if (typeof token?.sid !== 'string') return null
  const oldestCookie = tokensByCookie.size >= 2000 ? tokensByCookie.keys().next().value : undefined
  if (oldestCookie !== undefined) tokensByCookie.delete(oldestCookie)
  tokensByCookie.set(cookie, token.sid)
  return token.sid
}

function readCookie(request: Request, name: string): string | undefined {
  const cookiePrefix = `${name}=`
  for (const pair of request.headers.get('cookie')?.split('; ') ?? [])
    if (pair.startsWith(cookiePrefix)) return pair.slice(cookiePrefix.length)
  return undefined
}

/**
 * False for requests that a page sends by itself, such as polling. A client that adds the header to
 * other requests is signed out earlier.
 */
const isAttended = (headers: Pick<Headers, 'has'>): boolean => !headers.has('unattended')

/**
 * Returns the signed-in person of an API request. Pass `active: false` for polling, which must not
 * extend a session. Throws `unauthenticated`.
 */
export async function requireActor(request: Request, { active = true } = {}): Promise<Actor> {
  const token = await decodeToken(readCookie(request, getSessionCookieName()))
  const actor = token ? await findActor(token, active && isAttended(request.headers)) : null
  if (!actor)
    throw new AppError(
      'unauthenticated',
      'Your session has ended: sign in again. Your entries are kept',
    )
  return { ...actor, client: readClient(request.headers) }
}

/**
 * Returns the signed-in person of a page, or null. All parts of one page share the result; each
 * request reads it again.
 */
export const getCurrentActor = cache(async (): Promise<Actor | null> => {
  const token = await decodeToken((await cookies()).get(getSessionCookieName())?.value)
  const actor = token ? await findActor(token, isAttended(await headers())) : null
  return actor && { ...actor, client: readClient(await headers()) }
})
