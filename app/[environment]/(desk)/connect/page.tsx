import type { Metadata } from 'next'
import { Connect } from '@/components/connect/connect'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import { connectPath } from '@/lib/routes'
import { knownAccountOf } from '@/lib/server/account-of'
import { openDesk } from '@/lib/server/desk'
import { env } from '@/lib/server/env'
import { load } from '@/lib/server/read'

export const metadata: Metadata = { title: 'Connect a bank account' }

type Props = {
  params: Promise<{ environment: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A customer that is none is no reason for an error: one is chosen on the page. */
const customerOf = (given: string | string[] | undefined) => (typeof given === 'string' && uuid.test(given) ? given.toLowerCase() : null)

async function page({ params, searchParams }: Props) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const desk = await openDesk(environment, search, connectPath(environment, search))
  if (desk.needsAccount || desk.denied !== null) return <ChooseAccount desk={desk} path="/connect" many="bank connections" />
  const customerId = customerOf(search.customer)
  const [customer, account] = customerId
    ? await Promise.all([load(desk, 'customers.get', { id: customerId }), knownAccountOf(desk, `customers/${customerId}`)])
    : [null, null]
  return (
    <DeskProvider desk={desk}>
      <Connect
        customerId={customerId}
        initial={customer?.ok ? { data: customer.data, meta: customer.meta, replayed: false } : undefined}
        knownAccount={desk.account ?? account}
        bridgeOrigin={env().bridgeOrigins[desk.environment]}
      />
    </DeskProvider>
  )
}

export default page
