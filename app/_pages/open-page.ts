import { cookies } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { addAccountPrefix } from '@/components/accounts/paths'
import { type Preferences, parsePreferences, preferencesCookie } from '@/lib/client/preferences'
import { isUuid } from '@/lib/formats'
import type { PageContext } from '@/lib/operations/page-context'
import { deskPath, type LinkScope, listPath, type RecordResource, recordPath } from '@/lib/routes'
import { loadOwnPageContext } from '@/lib/server/http/page-context'
import { findKnownAccount } from '@/lib/server/http/visible-rows'

type SearchParams = Record<string, string | string[] | undefined>

export type PageProps = {
  params: Promise<{ environment: string }>
  searchParams: Promise<SearchParams>
}

export type ObjectPageProps = {
  params: Promise<{ environment: string; id: string }>
  searchParams: Promise<SearchParams>
}

/**
 * Returns the display settings from the cookie. Cached, so that the parts of one page parse the
 * cookie only once.
 */
export const readPreferences = cache(
  async (): Promise<Preferences> =>
    parsePreferences((await cookies()).get(preferencesCookie)?.value),
)

/** The context, id and query parameters of a record's page. The id is a UUID. */
export type ObjectPage = { context: PageContext; id: string; search: SearchParams }

/**
 * Loads the context and the query parameters of a page with a form for a new object. `path` is the
 * part of the URL after the environment.
 */
export async function openFormPage(
  { params, searchParams }: PageProps,
  path: string,
): Promise<{ context: PageContext; search: SearchParams }> {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  return {
    context: await loadOwnPageContext(environment, search, deskPath(environment, path, search)),
    search,
  }
}

/**
 * Loads the context of a record's page. `subpath` is the part of the URL after the id. An invalid
 * id shows "not found".
 */
export async function openObjectPage(
  { params, searchParams }: ObjectPageProps,
  resource: RecordResource,
  subpath = '',
): Promise<ObjectPage> {
  const [{ environment, id: rawId }, search] = await Promise.all([params, searchParams])
  const id = rawId.toLowerCase()
  const path = `${listPath('', resource).slice(1)}/${encodeURIComponent(rawId)}${subpath}`
  const context = await loadOwnPageContext(
    environment,
    search,
    deskPath(environment, path, search),
    isUuid(id) ? `${resource}/${id}` : null,
  )
  if (!isUuid(id)) notFound()
  return { context, id, search }
}

/**
 * Loads the context of a page about an account. Its account is the one in the path: it replaces the
 * account in the URL parameter `of`.
 */
export async function openAccountPage(
  { params, searchParams }: ObjectPageProps,
  subpath: string,
): Promise<ObjectPage> {
  const [{ id }, search] = await Promise.all([params, searchParams])
  const scopedSearch = isUuid(id.toLowerCase())
    ? { ...search, of: addAccountPrefix(id.toLowerCase()) }
    : search
  return openObjectPage(
    { params, searchParams: Promise.resolve(scopedSearch) },
    'accounts',
    subpath,
  )
}

/**
 * Redirects from a customer's form in the platform scope to the same form in the customer's
 * account. If the account is unknown, redirects to the customer's page, which finds it out.
 */
export async function redirectToCustomerAccount(
  { context, id }: ObjectPage,
  toPath: (place: LinkScope, id: string, search: { account: string }) => string,
): Promise<never> {
  const account = await findKnownAccount(context, `customers/${id}`)
  redirect(
    account === null ? recordPath(context, 'customers', id) : toPath(context, id, { account }),
  )
}
