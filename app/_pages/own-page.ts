import { cookies } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { scopeOf } from '@/components/accounts/paths'
import { type Preferences, parsePreferences, preferencesCookie } from '@/lib/client/preferences'
import { isUuid } from '@/lib/formats'
import type { PageContext } from '@/lib/operations/page-context'
import { deskPath, listPath, type Place, type RecordResource, recordPath } from '@/lib/routes'
import { knownAccountOf } from '@/lib/server/http/account-of'
import { loadOwnPageContext } from '@/lib/server/http/page-context'

/** What a page's URL says after the `?`. */
type Search = Record<string, string | string[] | undefined>

export type PageProps = { params: Promise<{ environment: string }>; searchParams: Promise<Search> }

export type ObjectPageProps = { params: Promise<{ environment: string; id: string }>; searchParams: Promise<Search> }

/** How the reader wants the desk to look, as their browser says it. */
export const readPreferences = cache(async (): Promise<Preferences> => parsePreferences((await cookies()).get(preferencesCookie)?.value))

/** What a page about one object begins with; the id is a UUID. */
export type ObjectPage = { context: PageContext; id: string; search: Search }

/** Opens the page of a form that makes something; `path` is the page's own below the environment. */
export async function openFormPage({ params, searchParams }: PageProps, path: string): Promise<{ context: PageContext; search: Search }> {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  return { context: await loadOwnPageContext(environment, search, deskPath(environment, path, search)), search }
}

/** Opens a page about one object, in the account the object belongs to; `below` is the page's own part of the path. What is no id is not found. */
export async function openObjectPage({ params, searchParams }: ObjectPageProps, resource: RecordResource, below = ''): Promise<ObjectPage> {
  const [{ environment, id: given }, search] = await Promise.all([params, searchParams])
  const id = given.toLowerCase()
  const path = `${listPath('', resource).slice(1)}/${encodeURIComponent(given)}${below}`
  const context = await loadOwnPageContext(
    environment,
    search,
    deskPath(environment, path, search),
    isUuid(id) ? `${resource}/${id}` : null,
  )
  if (!isUuid(id)) notFound()
  return { context, id, search }
}

/** Opens a page that reads and writes in the account of its own id, whatever scope the link came with. */
export async function openAccountPage({ params, searchParams }: ObjectPageProps, below: string): Promise<ObjectPage> {
  const [{ id }, search] = await Promise.all([params, searchParams])
  const own = isUuid(id.toLowerCase()) ? { ...search, of: scopeOf(id.toLowerCase()) } : search
  return openObjectPage({ params, searchParams: Promise.resolve(own) }, 'accounts', below)
}

/**
 * A page that writes to one customer is in the customer's account: a link that does not say it is led to the one that is known, and where none is known
 * to the customer's own page, which finds it.
 */
export async function redirectToAccountOf(
  { context, id }: ObjectPage,
  pathOf: (place: Place, id: string, search: { account: string }) => string,
): Promise<never> {
  const account = await knownAccountOf(context, `customers/${id}`)
  redirect(account === null ? recordPath(context, 'customers', id) : pathOf(context, id, { account }))
}
