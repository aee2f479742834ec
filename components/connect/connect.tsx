'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { useDesk } from '@/components/kits/layout/desk-context'
import { PageHeader } from '@/components/kits/layout/page-header'
import { OwnerWords } from '@/components/kits/record/record-head'
import { Status } from '@/components/kits/record/status'
import { type Owner, useOwner } from '@/components/kits/record/use-owner'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { read } from '@/lib/client/queries'
import { QueryProvider } from '@/lib/client/query-provider'
import type { CallAnswer } from '@/lib/client/request'
import { timeOf } from '@/lib/dates'
import { whyNotConnect } from '@/lib/domain/paykey-link'
import type { Customer } from '@/lib/operations/customers.schema'
import { connectPath, recordPath } from '@/lib/routes'
import { Connected } from './connected'
import { FindCustomer } from './find-customer'
import type { LinkPlace } from './place'
import { Ways } from './ways'

export type ConnectProps = {
  /** The customer of the URL; null where one has still to be chosen. */
  customerId: string | null
  /** What the server read of the customer, and the account it knows them to belong to. */
  initial: CallAnswer<Customer> | undefined
  knownAccount: string | null
  /** Where the hosted page of this environment comes from. */
  bridgeOrigin: string | undefined
}

/** Connecting a customer's bank account, which makes a paykey. */
export const Connect = (props: ConnectProps) => (
  <QueryProvider>
    <Page {...props} />
  </QueryProvider>
)

/**
 * A page keeps the policy of the document it was loaded with, and only the document of this very page may frame the provider's. Who came here
 * from another page of ours gets the page loaded anew.
 */
function useOwnDocument(path: string): void {
  useEffect(() => {
    const [loaded] = performance.getEntriesByType('navigation')
    if (loaded && new URL(loaded.name).pathname !== path) location.reload()
  }, [path])
}

function Page({ customerId, ...props }: ConnectProps) {
  const desk = useDesk()
  useOwnDocument(connectPath(desk.environment))
  const router = useRouter()
  const go = (search: Record<string, string | null>) => router.push(connectPath(desk.environment, search))
  return (
    <div className="mx-auto grid max-w-4xl gap-3 pt-2">
      <PageHeader title="Connect a bank account" meta={`Makes a paykey in ${desk.environment.toUpperCase()}`} />
      {customerId === null ? (
        <FindCustomer onAccount={(account) => go({ account })} onChoose={(customer) => go({ account: desk.account, customer })} />
      ) : (
        <OfCustomer key={customerId} {...props} customerId={customerId} onOther={() => go({ account: desk.account })} />
      )}
    </div>
  )
}

type OfCustomerProps = ConnectProps & { customerId: string; onOther: () => void }

function OfCustomer({ customerId, initial, knownAccount, bridgeOrigin, onOther }: OfCustomerProps) {
  const desk = useDesk()
  const owner = useOwner('customers', customerId, knownAccount, 'customer')
  const readAt = timeOf(initial?.meta.read_at) ?? undefined
  const customer = useQuery({
    ...read(desk, 'customers.get', { id: customerId }),
    initialData: initial,
    initialDataUpdatedAt: readAt,
  })
  if (customer.data) {
    return <Chosen customer={customer.data.data} owner={owner} bridgeOrigin={bridgeOrigin} onOther={onOther} />
  }
  if (customer.error) {
    return (
      <ErrorNotice
        what="The customer could not be read"
        error={customer.error.toWire()}
        requestId={customer.error.requestId}
        actions={
          <>
            <Button onClick={() => void customer.refetch()}>Read again</Button>
            <Button variant="quiet" onClick={onOther}>
              Choose another customer
            </Button>
          </>
        }
      />
    )
  }
  return <Skeleton className="h-64" />
}

type ChosenProps = { customer: Customer; owner: Owner; bridgeOrigin: string | undefined; onOther: () => void }

function Chosen({ customer, owner, bridgeOrigin, onOther }: ChosenProps) {
  const desk = useDesk()
  const [made, setMade] = useState<{ id: string; framed: boolean } | null>(null)
  const [round, setRound] = useState(0)
  const place: LinkPlace = {
    customer: { id: customer.id, name: customer.name, status: customer.status },
    account: owner.account,
    ownerWhy: owner.why,
    closed: whyNotConnect(customer.status),
  }
  const another = () => {
    setMade(null)
    setRound(round + 1)
  }
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded border border-line bg-surface px-3 py-2">
        <Link
          href={recordPath(desk.environment, 'customers', customer.id, { account: desk.account })}
          className="font-semibold text-accent text-base hover:underline"
        >
          <bdi>{customer.name}</bdi>
        </Link>
        <Status kind="customer" status={customer.status} />
        <span className="text-ink-2">
          <OwnerWords owner={owner} />
        </span>
        <Button size="small" variant="quiet" className="ml-auto" onClick={onOther}>
          Another customer
        </Button>
      </div>
      {made && <Connected id={made.id} place={place} onAnother={another} />}
      {/* The hosted page says itself what came of it, and offers another account where one was refused. */}
      <div hidden={made !== null && !made.framed}>
        <Ways key={round} place={place} origin={bridgeOrigin} onMade={(id, by) => setMade({ id, framed: by === 'widget' })} />
      </div>
    </div>
  )
}
