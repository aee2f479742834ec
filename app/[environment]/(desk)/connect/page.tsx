import type { Metadata } from 'next'
import type { PageProps } from '@/app/_pages/open-page'
import { ConnectPageView } from '@/components/connect/connect'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { isUuid } from '@/lib/formats'
import { deskPath } from '@/lib/routes'
import { env } from '@/lib/server/config/env'
import { loadObjectPageContext } from '@/lib/server/http/page-context'
import { loadReadForPage } from '@/lib/server/http/read'
import { lookUpVisibleAccount } from '@/lib/server/http/visible-rows'

export const metadata: Metadata = { title: 'Connect a bank account' }

/** Null if the id is missing or invalid: the page then offers a search for a customer. */
const parseCustomerId = (value: string | string[] | undefined) =>
  typeof value === 'string' && isUuid(value.toLowerCase()) ? value.toLowerCase() : null

export default async function ConnectPage({ params, searchParams }: PageProps) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const customerId = parseCustomerId(search.customer)
  const customerTargetPath = customerId && `customers/${customerId}`
  const context = await loadObjectPageContext(
    environment,
    search,
    deskPath(environment, '/connect', search),
    customerTargetPath,
  )
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/connect" many="bank connections" />
  const [customer, account] = customerId
    ? await Promise.all([
        loadReadForPage(context, 'customers.get', { id: customerId }, { live: true }),
        lookUpVisibleAccount(context, `customers/${customerId}`),
      ])
    : [null, null]
  return (
    <PageContextProvider context={context}>
      <ConnectPageView
        customerId={customerId}
        initial={
          customer?.ok ? { data: customer.data, meta: customer.meta, replayed: false } : undefined
        }
        knownAccount={context.account ?? account}
        bridgeOrigin={env().bridgeOrigins[context.environment]}
      />
    </PageContextProvider>
  )
}
