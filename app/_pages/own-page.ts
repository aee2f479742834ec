import { cookies } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { scopeOf } from '@/components/accounts/paths'
import { type Preferences, parsePreferences, preferencesCookie } from '@/lib/client/preferences'
import { isUuid } from '@/lib/formats'
import type { PageContext } from '@/lib/operations/page-context'
import { deskPath, listPath, type Place, type RecordResource, recordPath } from '@/lib/routes'
import { loadOwnPageContext } from '@/lib/server/http/page-context'
import { knownAccountOf } from '@/lib/server/http/visible'

type Search = Record<string, string | string[] | undefined>

export type PageProps = { params: Promise<{ environment: string }>; searchParams: Promise<Search> }

export type ObjectPageProps = { params: Promise<{ environment: string; id: string }>; searchParams: Promise<Search> }

/** Reads the display preferences from the request's cookie. */
export const readPreferences = cache(async (): Promise<Preferences> => parsePreferences((await cookies()).get(preferencesCookie)?.value))

/** Context, id and query parameters of a record page. The id is a UUID. */
export type ObjectPage = { context: PageContext; id: string; search: Search }

/** Loads a form page that creates a record. `path` is relative to the environment. */
export async function openFormPage({ params, searchParams }: PageProps, path: string): Promise<{ context: PageContext; search: Search }> {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  return { context: await loadOwnPageContext(environment, search, deskPath(environment, path, search)), search }
}

/** Loads a record page in the scope of the record's account. `below` is the path after the record's id. An invalid id is "not found". */
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

/** Loads a page in the scope of the account that its own id names, regardless of the link's scope. */
export async function openAccountPage({ params, searchParams }: ObjectPageProps, below: string): Promise<ObjectPage> {
  const [{ id }, search] = await Promise.all([params, searchParams])
  const scopedSearch = isUuid(id.toLowerCase()) ? { ...search, of: scopeOf(id.toLowerCase()) } : search
  return openObjectPage({ params, searchParams: Promise.resolve(scopedSearch) }, 'accounts', below)
}

/**
 * Redirects a page that writes to a customer to the customer's account. If the account is unknown, redirects to the customer's own page,
 * which looks it up.
 */
export async function redirectToAccountOf(
  { context, id }: ObjectPage,
  pathOf: (place: Place, id: string, search: { account: string }) => string,
): Promise<never> {
  const account = await knownAccountOf(context, `customers/${id}`)
  redirect(account === null ? recordPath(context, 'customers', id) : pathOf(context, id, { account }))
}
