import 'server-only'
import { cookies, headers } from 'next/headers'
import NextAuth, { type NextAuthOptions } from 'next-auth'
import { decode } from 'next-auth/jwt'
import CredentialsProvider from 'next-auth/providers/credentials'
import { cache } from 'react'
import { AppError } from '@/lib/errors'
import { signInPath } from '@/lib/routes'
import { readClientAddress, readClientOrigin, toNetworkPrefix } from '@/lib/server/audit/client'
import { env } from '@/lib/server/config/env'
import { metrics } from '@/lib/server/counters'
import { log } from '@/lib/server/log'
import { getDatabase } from '@/lib/server/store/store'
import { parseUserAgent } from './agent'
import { giveNetworkTriesBack, recordNetworkTry } from './failed-tries'
import type { Person } from './people'
import { type Actor, dropCachedSession, findActor } from './session-rows'
import {
  createDeviceCookie,
  endSession,
  getDeviceCookieName,
  openSession,
  type Visitor,
} from './sign-in'
import { createSsoProvider, type SsoRequestState } from './sso/provider'

const sessionSeconds = 8 * 60 * 60

/** Over http on loopback, browsers refuse a cookie with the prefix `__Host-`. */
export const getSessionCookieName = (): string =>
  env().appOrigin.startsWith('https:') ? '__Host-paydesk.session' : 'paydesk.session'

const addCookiePrefix = (prefix: string, name: string) =>
  env().appOrigin.startsWith('https:') ? `${prefix}${name}` : name

/**
 * The outcome of one request. next-auth's callbacks store it here, because next-auth itself does
 * not return it.
 */
type AuthRequestState = SsoRequestState & { opened?: Person; ended?: boolean }

/** Returns our origin for a URL of any other origin. */
function toOwnOriginUrl(url: string): string {
  const { appOrigin } = env()
  return URL.canParse(url, appOrigin) && new URL(url, appOrigin).origin === appOrigin
    ? new URL(url, appOrigin).href
    : appOrigin
}

function createAuthOptions(authState: AuthRequestState): NextAuthOptions {
  const { sso } = env()
  const isHttpsOrigin = env().appOrigin.startsWith('https:')
  const cookieOptions = { httpOnly: true, secure: isHttpsOrigin, path: '/' } as const
  // This cookie must arrive with the redirect from the identity provider. Browsers omit `strict`
  // cookies from that redirect.
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
      ...(sso ? [createSsoProvider(sso, authState)] : []),
      CredentialsProvider({
        credentials: { email: {}, password: {} },
        // Must not throw: next-auth would show the error text in the address bar.
        authorize: async (given) => {
          const pendingSession = openSession(
            String(given?.email ?? ''),
            String(given?.password ?? ''),
            authState.visitor,
          )
          const openedSession = await pendingSession.catch((error: unknown) => {
            authState.failed = error
            return null
          })
          authState.opened = openedSession?.person
          metrics.signIns.inc({
            outcome: openedSession ? 'opened' : authState.failed ? 'not_checked' : 'refused',
          })
          return openedSession ? { id: openedSession.token } : null
        },
      }),
    ],
    callbacks: {
      // The JWT contains only the session's token. Each request checks the session's row.
      jwt: ({ token, user }) => (user ? { sid: user.id } : { sid: token.sid }),
      session: ({ session }) => ({ expires: session.expires }),
      redirect: ({ url }) => toOwnOriginUrl(url),
    },
    events: {
      signOut: async ({ token }) => {
        authState.ended = true
        if (typeof token?.sid !== 'string') return
        dropCachedSession(token.sid)
        await endSession(token.sid, authState.visitor.client)
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
  client: readClientOrigin(request.headers),
  network: toNetworkPrefix(readClientAddress(request.headers) ?? ''),
  deviceCookie: readCookie(request, getDeviceCookieName()),
  agent: parseUserAgent(request.headers),
})

/**
 * Throws the error that prevented the check of a password. A sign-in makes the browser a known
 * device. A sign-out clears the browser's cache and storage, but not its cookies, which contain
 * preferences and the known device.
 */
export async function handleAuthRequest(
  request: Request,
  context: RouteContext,
): Promise<Response> {
  const authState: AuthRequestState = { visitor: toVisitor(request), isFresh: false }
  const response: Response = await NextAuth(createAuthOptions(authState))(request, context)
  if (authState.failed) throw authState.failed
  if (authState.opened)
    response.headers.append('set-cookie', createDeviceCookie(authState.opened.email.toLowerCase()))
  if (authState.ended) response.headers.set('clear-site-data', '"cache", "storage"')
  return response
}

/** `left`: the browser is redirected to the identity provider. */
export type SsoAnswer = { response: Response; outcome: 'left' | 'entered' | 'refused' | 'failed' }

/**
 * Handles the redirect to the identity provider (`there`) and the return (`back`). Each first
 * counts as a failed try of the visitor's network; a successful sign-in takes both back. With
 * `isFresh`, the provider must authenticate the person again. Throws `too_many`, and the error that
 * prevented a sign-in.
 */
export async function handleSsoRequest(
  request: Request,
  context: RouteContext,
  direction: 'there' | 'back',
  isFresh = false,
): Promise<SsoAnswer> {
  const ssoAuthState: AuthRequestState = { visitor: toVisitor(request), isFresh }
  const { network } = ssoAuthState.visitor
  await recordNetworkTry(network)
  const response: Response = await NextAuth(createAuthOptions(ssoAuthState))(request, context)
  if (direction === 'there') return { response, outcome: 'left' }
  const signInOutcome = ssoAuthState.entered
    ? 'entered'
    : ssoAuthState.isRefused
      ? 'refused'
      : 'failed'
  metrics.signIns.inc({
    outcome:
      signInOutcome === 'entered'
        ? 'opened'
        : signInOutcome === 'refused'
          ? 'refused'
          : 'not_checked',
  })
  if (ssoAuthState.failed) throw ssoAuthState.failed
  if (ssoAuthState.entered) await giveNetworkTriesBack(await getDatabase(), network, 2)
  return { response, outcome: signInOutcome }
}

const tokenByCookie = new Map<string, string>()

/**
 * Caches decoded cookies, because decoding takes longer than the rest of a read and a cookie never
 * changes. The session's row is checked on each request anyway.
 */
async function decodeToken(cookie: string | undefined): Promise<string | null> {
  if (!cookie) return null
  const cachedToken = tokenByCookie.get(cookie)
  if (cachedToken) return cachedToken
  const token = await decode({ token: cookie, secret: env().authSecret }).catch(() => null)
  if (typeof token?.sid !== 'string') return null
  const oldestCookie = tokenByCookie.size >= 2000 ? tokenByCookie.keys().next().value : undefined
  if (oldestCookie !== undefined) tokenByCookie.delete(oldestCookie)
  tokenByCookie.set(cookie, token.sid)
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

/** Throws `unauthenticated`. Pass `active: false` for polling, which must not extend a session. */
export async function requireActor(request: Request, { active = true } = {}): Promise<Actor> {
  const token = await decodeToken(readCookie(request, getSessionCookieName()))
  const actor = token ? await findActor(token, active && isAttended(request.headers)) : null
  if (!actor)
    throw new AppError(
      'unauthenticated',
      'Your session has ended: sign in again. Your entries are kept',
    )
  return { ...actor, client: readClientOrigin(request.headers) }
}

/** All parts of one page share the result; each request reads it again. */
export const getCurrentActor = cache(async (): Promise<Actor | null> => {
  const token = await decodeToken((await cookies()).get(getSessionCookieName())?.value)
  const actor = token ? await findActor(token, isAttended(await headers())) : null
  return actor && { ...actor, client: readClientOrigin(await headers()) }
})
