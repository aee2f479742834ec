'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useRouter, useSearchParams } from 'next/navigation'
import { type MouseEvent, useEffect, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { RecordStatusBadge } from '@/components/kits/layout/panel'
import { RecordAccountText } from '@/components/kits/record/record-head'
import { type OwnerAccount, useOwnerAccount } from '@/components/kits/record/side-reads'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { getTabLinkClasses, TabLinks } from '@/components/ui/tab-links'
import type { CallAnswer } from '@/lib/client/call'
import { operationQuery } from '@/lib/client/query/reads'
import { parseTime } from '@/lib/dates'
import { whyNotConnectBankAccount } from '@/lib/features/connect/labels'
import type { Customer } from '@/lib/operations/customers.schema'
import { connectBankAccountPath, recordPath } from '@/lib/routes'
import { ConnectedPaykey } from './connected'
import { FindCustomer } from './find-customer'
import type { ConnectTarget } from './link-form'

// The forms below are rendered in the browser only: each creates an idempotency key, and the server
// would create a different one.
const renderFormSkeleton = () => <Skeleton className="h-72" />
const HostedWidget = dynamic(
  () => import('@/components/connect/widget/hosted').then((module) => module.HostedWidget),
  {
    ssr: false,
    loading: renderFormSkeleton,
  },
)
const BankDetailsForm = dynamic(
  () => import('./bank-details').then((module) => module.BankDetailsForm),
  {
    ssr: false,
    loading: renderFormSkeleton,
  },
)
const AggregatorTokenMethod = dynamic(
  () => import('./aggregator-token').then((module) => module.AggregatorTokenMethod),
  {
    ssr: false,
    loading: renderFormSkeleton,
  },
)

const methodLabels = {
  widget: 'Hosted widget',
  bank: 'Bank details',
  token: 'Aggregator token',
} as const

type ConnectMethod = keyof typeof methodLabels

const parseConnectMethod = (text: string | null): ConnectMethod =>
  text !== null && Object.hasOwn(methodLabels, text) ? (text as ConnectMethod) : 'widget'

function toMethodHref(search: URLSearchParams, method: ConnectMethod): string {
  const nextSearch = new URLSearchParams(search)
  nextSearch.set('way', method)
  return `?${nextSearch}`
}

type ConnectMethodsProps = {
  place: ConnectTarget
  origin: string | undefined
  onMade: (id: string, by: ConnectMethod) => void
}

/** A method that was opened once stays mounted while it is hidden, to keep its state. */
function ConnectMethods({ place, origin, onMade }: ConnectMethodsProps) {
  const search = useSearchParams()
  const method = parseConnectMethod(search.get('way'))
  const [openedMethods, setOpenedMethods] = useState<ReadonlySet<ConnectMethod>>(new Set([method]))
  if (!openedMethods.has(method)) setOpenedMethods(new Set([...openedMethods, method]))
  const openMethod = (next: ConnectMethod) =>
    history.replaceState(null, '', toMethodHref(search, next))
  const chooseMethod = (next: ConnectMethod) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    openMethod(next)
  }
  return (
    <section aria-label="Ways to connect" className="grid gap-3">
      <TabLinks label="Ways to connect">
        {(Object.keys(methodLabels) as ConnectMethod[]).map((each) => (
          <a
            key={each}
            href={toMethodHref(search, each)}
            onClick={chooseMethod(each)}
            aria-current={each === method ? 'page' : undefined}
            className={getTabLinkClasses(each === method)}
          >
            {methodLabels[each]}
          </a>
        ))}
      </TabLinks>
      <div hidden={method !== 'widget'}>
        {openedMethods.has('widget') && (
          <HostedWidget
            place={place}
            origin={origin}
            onMade={(id) => onMade(id, 'widget')}
            onTypeHere={() => openMethod('bank')}
          />
        )}
      </div>
      <div hidden={method !== 'bank'}>
        {openedMethods.has('bank') && (
          <BankDetailsForm place={place} onMade={(id) => onMade(id, 'bank')} />
        )}
      </div>
      <div hidden={method !== 'token'}>
        {openedMethods.has('token') && (
          <AggregatorTokenMethod place={place} onMade={(id) => onMade(id, 'token')} />
        )}
      </div>
    </section>
  )
}

type ConnectProps = {
  /** The id of the customer in the URL; null if none is chosen. */
  customerId: string | null
  /** The customer, as read by the server for this page. */
  initial: CallAnswer<Customer> | undefined
  /** The customer's account, if Paydesk knows it. Null if not. */
  knownAccount: string | null
  /** Origin of the provider's hosted page in this environment. */
  bridgeOrigin: string | undefined
}

/**
 * Reloads after client-side navigation: the browser then still applies the CSP of the first
 * document, and only this page's own CSP allows a frame with the provider's page.
 */
function useReloadAfterClientNavigation(path: string): void {
  useEffect(() => {
    const [loaded] = performance.getEntriesByType('navigation')
    if (loaded && new URL(loaded.name).pathname !== path) location.reload()
  }, [path])
}

/** Creates a paykey: a token for the customer's bank account. */
export function ConnectPageView({ customerId, ...props }: ConnectProps) {
  const context = usePageContext()
  useReloadAfterClientNavigation(connectBankAccountPath(context.environment))
  const router = useRouter()
  const navigateToConnect = (search: Record<string, string | null>) =>
    router.push(connectBankAccountPath(context, search))
  return (
    <div className={pageClasses.text}>
      <PageHeader
        title="Connect a bank account"
        meta={`Creates a paykey in ${context.environment.toUpperCase()}`}
      />
      {customerId === null ? (
        <FindCustomer
          onAccount={(account) => navigateToConnect({ account })}
          onChoose={(customer) => navigateToConnect({ account: context.account, customer })}
        />
      ) : (
        <CustomerConnectView
          key={customerId}
          {...props}
          customerId={customerId}
          onOther={() => navigateToConnect({ account: context.account })}
        />
      )}
    </div>
  )
}

type CustomerConnectViewProps = ConnectProps & { customerId: string; onOther: () => void }

function CustomerConnectView({
  customerId,
  initial,
  knownAccount,
  bridgeOrigin,
  onOther,
}: CustomerConnectViewProps) {
  const context = usePageContext()
  const ownerAccount = useOwnerAccount('customers', customerId, knownAccount, 'customer')
  const readAt = parseTime(initial?.meta.read_at) ?? undefined
  const customerQuery = useQuery({
    ...operationQuery(context, 'customers.get', { id: customerId }),
    initialData: initial,
    initialDataUpdatedAt: readAt,
  })
  if (customerQuery.data) {
    return (
      <ChosenCustomer
        customer={customerQuery.data.data}
        owner={ownerAccount}
        bridgeOrigin={bridgeOrigin}
        onOther={onOther}
      />
    )
  }
  if (customerQuery.error) {
    return (
      <ErrorNotice
        what="The customer could not be read"
        error={customerQuery.error.toWire()}
        requestId={customerQuery.error.requestId}
        actions={
          <>
            <Button onClick={() => void customerQuery.refetch()}>Try again</Button>
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

type ChosenCustomerProps = {
  customer: Customer
  owner: OwnerAccount
  bridgeOrigin: string | undefined
  onOther: () => void
}

function ChosenCustomer({ customer, owner, bridgeOrigin, onOther }: ChosenCustomerProps) {
  const context = usePageContext()
  const [newPaykey, setNewPaykey] = useState<{ id: string; framed: boolean } | null>(null)
  const [round, setRound] = useState(0)
  const connectTarget: ConnectTarget = {
    customer: { id: customer.id, name: customer.name, status: customer.status },
    account: owner.account,
    ownerWhy: owner.why,
    disabledReason: whyNotConnectBankAccount(customer.status),
  }
  const startAnotherConnection = () => {
    setNewPaykey(null)
    setRound(round + 1)
  }
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded border border-line bg-surface px-3 py-2">
        <Link
          href={recordPath(context, 'customers', customer.id, { account: context.account })}
          className="font-semibold text-accent text-base hover:underline"
        >
          <ExternalText>{customer.name}</ExternalText>
        </Link>
        <RecordStatusBadge kind="customer" status={customer.status} />
        <span className="text-ink-2">
          <RecordAccountText owner={owner} />
        </span>
        <Button size="small" variant="quiet" className="ml-auto" onClick={onOther}>
          Choose another customer
        </Button>
      </div>
      {newPaykey && (
        <ConnectedPaykey
          id={newPaykey.id}
          place={connectTarget}
          onAnother={startAnotherConnection}
        />
      )}
      {/* The hosted page stays visible after success, because it shows the outcome itself and offers a retry after a refusal. */}
      <div hidden={newPaykey !== null && !newPaykey.framed}>
        <ConnectMethods
          key={round}
          place={connectTarget}
          origin={bridgeOrigin}
          onMade={(id, by) => setNewPaykey({ id, framed: by === 'widget' })}
        />
      </div>
    </div>
  )
}
