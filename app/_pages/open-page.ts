import { cookies } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { addAccountPrefix } from '@/components/accounts/paths'
import { type Preferences, parsePreferences, preferencesCookie } from '@/lib/client/preferences'
import { isUuid } from '@/lib/formats'
import type { PageContext } from '@/lib/operations/page-context'
import { deskPath, type LinkScope, listPath, type RecordResource, recordPath } from '@/lib/routes'
import { loadObjectPageContext } from '@/lib/server/http/page-context'
import { lookUpVisibleAccount } from '@/lib/server/http/visible-rows'

type SearchParams = Record<string, string | string[] | undefined>

export type PageProps = {
  params: Promise<{ environment: string }>
  searchParams: Promise<SearchParams>
}

export type ObjectPageProps = {
  params: Promise<{ environment: string; id: string }>
  searchParams: Promise<SearchParams>
}

/** Cached, so that the parts of one page parse the cookie only once. */
export const readPreferences = cache(
  async (): Promise<Preferences> =>
    parsePreferences((await cookies()).get(preferencesCookie)?.value),
)

/** Shows "not found": a direct account has no other accounts and no organizations. */
export function requirePlatform({ integration }: Pick<PageContext, 'integration'>): void {
  if (integration === 'account') notFound()
}

/** `id` is a UUID. */
export type PreparedObjectPage = { context: PageContext; id: string; search: SearchParams }

/** `path` is the part of the URL after the environment. */
export async function prepareFormPage(
  { params, searchParams }: PageProps,
  path: string,
): Promise<{ context: PageContext; search: SearchParams }> {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  return {
    context: await loadObjectPageContext(environment, search, deskPath(environment, path, search)),
    search,
  }
}

/** `subpath` is the part of the URL after the id. An invalid id shows "not found". */
export async function prepareObjectPage(
  { params, searchParams }: ObjectPageProps,
  resource: RecordResource,
  subpath = '',
): Promise<PreparedObjectPage> {
  const [{ environment, id: rawId }, search] = await Promise.all([params, searchParams])
  const id = rawId.toLowerCase()
  const path = `${listPath('', resource).slice(1)}/${encodeURIComponent(rawId)}${subpath}`
  const context = await loadObjectPageContext(
    environment,
    search,
    deskPath(environment, path, search),
    isUuid(id) ? `${resource}/${id}` : null,
  )
  if (!isUuid(id)) notFound()
  return { context, id, search }
}

/** The account in the path replaces the one in the URL parameter `of`. */
export async function prepareAccountPage(
  { params, searchParams }: ObjectPageProps,
  subpath: string,
): Promise<PreparedObjectPage> {
  const [{ id }, search] = await Promise.all([params, searchParams])
  const searchWithAccount = isUuid(id.toLowerCase())
    ? { ...search, of: addAccountPrefix(id.toLowerCase()) }
    : search
  return prepareObjectPage(
    { params, searchParams: Promise.resolve(searchWithAccount) },
    'accounts',
    subpath,
  )
}

/**
 * Redirects from a customer's form in the platform scope to the same form in the customer's
 * account. If the account is unknown, redirects to the customer's page, which determines the
 * account.
 */
export async function redirectToCustomerAccount(
  { context, id }: PreparedObjectPage,
  toPath: (place: LinkScope, id: string, search: { account: string }) => string,
): Promise<never> {
  const account = await lookUpVisibleAccount(context, `customers/${id}`)
  redirect(
    account === null ? recordPath(context, 'customers', id) : toPath(context, id, { account }),
  )
}
