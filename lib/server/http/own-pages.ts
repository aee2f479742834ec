import 'server-only'
import { AppError } from '@/lib/errors'
import { type Environment, environments } from '@/lib/operations/define'
import type { Actor } from '@/lib/server/auth/session-rows'
import { env, listConfiguredEnvironments } from '@/lib/server/config/env'
import { loopbackNames } from '@/lib/server/config/setting-forms'

/**
 * True if an `Origin` header is that of our own pages. If our origin has a loopback name, the other
 * loopback names on the same port count too: people type `localhost`, and no other site can use
 * that name.
 */
export function isOwnOrigin(origin: string | null, ownOrigin: string): boolean {
  if (origin === null || !URL.canParse(origin)) return false
  if (origin === ownOrigin) return true
  const [given, own] = [new URL(origin), new URL(ownOrigin)]
  const bothLoopback = loopbackNames.has(given.hostname) && loopbackNames.has(own.hostname)
  return bothLoopback && given.protocol === own.protocol && given.port === own.port
}

/**
 * Throws `other_site` unless a write comes from our own pages. The `Origin` header must be ours; a
 * missing one is refused. `Sec-Fetch-Site` must be `same-origin` if the browser sends it.
 */
export function requireSameOrigin(request: Request): void {
  const fetchSite = request.headers.get('sec-fetch-site')
  if (
    isOwnOrigin(request.headers.get('origin'), env().appOrigin) &&
    (fetchSite === null || fetchSite === 'same-origin')
  )
    return
  throw new AppError('other_site', `Writes are taken from ${env().appOrigin} only`)
}

/**
 * Throws `other_site` unless a read of masked data comes from our own pages. Browsers send no
 * `Origin` header with such a read, so `Sec-Fetch-Site` is required.
 */
export function requireSameOriginRead(request: Request): void {
  if (request.headers.get('sec-fetch-site') === 'same-origin') return
  throw new AppError('other_site', `This is shown on pages of ${env().appOrigin} only`)
}

/**
 * Throws `other_person`, with the name of the signed-in person, if the page that sent the request
 * was rendered for another person (`Drawn-For` header). This happens after another person signed in
 * in another tab. Our pages always send the header; a request without it is not from a page.
 */
export function requireSamePerson(
  request: Request,
  { id, name }: Pick<Actor, 'id' | 'name'>,
): void {
  const renderedForId = request.headers.get('drawn-for')
  if (renderedForId === null || renderedForId === id) return
  throw new AppError(
    'other_person',
    `You are signed in as ${name} now. Nothing was done. Reload to continue as ${name}`,
    {
      items: [{ reference: 'signed_in_as', detail: name }],
    },
  )
}

/**
 * Returns the environment that a URL names. Throws `not_found` if the environment is unknown or has
 * no API key.
 */
export function requireEnvironment(environmentName: string): Environment {
  const knownEnvironment = environments.find((name) => name === environmentName)
  if (knownEnvironment && listConfiguredEnvironments().includes(knownEnvironment))
    return knownEnvironment
  throw new AppError('not_found', 'There is no such environment here')
}
