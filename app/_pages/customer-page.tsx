import { notFound, redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { customerNouns } from '@/components/customers/customer-nouns'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import type { Desk } from '@/lib/operations/desk'
import { recordPath } from '@/lib/routes'
import { knownAccountOf } from '@/lib/server/account-of'
import { openDesk } from '@/lib/server/desk'

/** What Next gives a page below one customer. */
export type CustomerPageProps = {
  params: Promise<{ environment: string; id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type Draw = (desk: Desk & { account: string }, id: string) => Promise<ReactNode>

/**
 * A page that writes to one customer, in the account it belongs to: a link without the account is led to the one that was learnt, and where none is
 * known the customer's own page finds it.
 */
export async function customerPage(
  { params, searchParams }: CustomerPageProps,
  pathOf: (environment: string, id: string, search: { account: string | null }) => string,
  draw: Draw,
): Promise<ReactNode> {
  const [{ environment, id: given }, search] = await Promise.all([params, searchParams])
  const desk = await openDesk(environment, search, recordPath(environment, 'customers', given, search))
  if (!uuid.test(given)) notFound()
  const id = given.toLowerCase()
  if (desk.needsAccount || desk.denied !== null) {
    return <ChooseAccount desk={desk} path={pathOf('', id, { account: null }).slice(1)} many={customerNouns.many} />
  }
  if (desk.account === null) {
    const account = await knownAccountOf(desk, `customers/${id}`)
    redirect(account ? pathOf(environment, id, { account }) : recordPath(environment, 'customers', id))
  }
  return <DeskProvider desk={desk}>{await draw({ ...desk, account: desk.account }, id)}</DeskProvider>
}

/** Where the customer could not be read, in place of a form about it. */
export const CustomerUnread = ({ error, requestId }: { error: Parameters<typeof ErrorNotice>[0]['error']; requestId: string }) => (
  <ErrorNotice className="mt-4 max-w-2xl" what="The customer could not be read" error={error} requestId={requestId} />
)
