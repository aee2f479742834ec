import 'server-only'
import { AppError } from '@/lib/errors'
import { type Environment, environments } from '@/lib/operations/define'
import type { Actor } from '@/lib/server/auth/session-rows'
import { env, listConfiguredEnvironments } from '@/lib/server/config/env'
import { loopbackHostnames } from '@/lib/server/config/setting-forms'

/**
 * If our origin has a loopback name, the other loopback names on the same port count too: people
 * type `localhost`, and no other site can use that name.
 */
export function isOwnOrigin(origin: string | null, ownOrigin: string): boolean {
  if (origin === null || !URL.canParse(origin)) return false
  if (origin === ownOrigin) return true
  const [given, own] = [new URL(origin), new URL(ownOrigin)]
  const areBothLoopback =
    loopbackHostnames.has(given.hostname) && loopbackHostnames.has(own.hostname)
  return areBothLoopback && given.protocol === own.protocol && given.port === own.port
}

/** A missing `Origin` is refused. `Sec-Fetch-Site` is checked only if the browser sends it. */
export function requireSameOrigin(request: Request): void {
  const fetchSite = request.headers.get('sec-fetch-site')
  if (
    isOwnOrigin(request.headers.get('origin'), env().appOrigin) &&
    (fetchSite === null || fetchSite === 'same-origin')
  )
    return
  throw new AppError('other_site', `Writes are taken from ${env().appOrigin} only`)
}

/** For masked data. Browsers send no `Origin` with reads, so `Sec-Fetch-Site` is required. */
export function requireSameOriginRead(request: Request): void {
  if (request.headers.get('sec-fetch-site') === 'same-origin') return
  throw new AppError('other_site', `This is shown on pages of ${env().appOrigin} only`)
}

/**
 * Throws `other_person` if the page was rendered for another person, before a sign-in in another
 * tab. A request without a `Drawn-For` header is not from one of our pages.
 */
export function requireSamePerson(
  request: Request,
  { id, name }: Pick<Actor, 'id' | 'name'>,
): void {
  const renderedForPersonId = request.headers.get('drawn-for')
  if (renderedForPersonId === null || renderedForPersonId === id) return
  throw new AppError(
    'other_person',
    `You are signed in as ${name} now. Nothing was done. Reload to continue as ${name}`,
    {
      items: [{ reference: 'signed_in_as', detail: name }],
    },
  )
}

export function requireEnvironment(environmentName: string): Environment {
  const knownEnvironment = environments.find((name) => name === environmentName)
  if (knownEnvironment && listConfiguredEnvironments().includes(knownEnvironment))
    return knownEnvironment
  throw new AppError('not_found', 'There is no such environment here')
}
