'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState, useTransition } from 'react'
import { ActionArea } from '@/components/kits/action/action-area'
import { useClosed } from '@/components/kits/action/use-closed'
import { useOutcome } from '@/components/kits/action/use-outcome'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { useDesk } from '@/components/kits/layout/desk-context'
import { PageHeader } from '@/components/kits/layout/page-header'
import { Panel } from '@/components/kits/layout/panel'
import { Status } from '@/components/kits/record/status'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { Notice } from '@/components/ui/notice'
import { accountName } from '@/lib/client/desk'
import { newCorrelationId } from '@/lib/client/keys'
import { readActions } from '@/lib/client/queries'
import type { ActionView } from '@/lib/operations/answer'
import type { Customer } from '@/lib/operations/customers.schema'
import type { DeletionView, ImpactRead } from '@/lib/operations/deletion'
import type { WriteId } from '@/lib/operations/rows'
import { deletionPath, recordPath } from '@/lib/routes'
import { BlockerList } from './blocker-list'
import { DeleteForm } from './delete-form'
import { ImpactPanel } from './impact-panel'
import { OpenRequest } from './open-request'
import { RequestForm } from './request-form'

/** The customer while there is one, and what deleting it would touch. */
export type FoundCustomer = { customer: Customer; snapshot: string | undefined; impact: ImpactRead }

export type DeletionDeskProps = {
  id: string
  account: string
  /** Null once there is no such customer any more. */
  found: FoundCustomer | null
  /** The open request, or the newest one. */
  request: DeletionView | null
  actions: readonly ActionView[]
}

/** The whole way of a deletion on one page: asked for, looked over, carried out, and what came of it. */
export function DeletionDesk(props: DeletionDeskProps) {
  const { id, account, found, request } = props
  const customer = found?.customer ?? null
  const desk = useDesk()
  const router = useRouter()
  const [reading, start] = useTransition()
  const again = () => start(() => router.refresh())
  const initial = { data: [...props.actions], meta: { request_id: '' }, replayed: false }
  const actions = useQuery({ ...readActions(desk, `customers/${id}`), initialData: initial })
  const state = useOutcome({ actions: actions.data?.data ?? [], stale: ['customers', 'paykeys', 'payments'], onChanged: again })
  const [open, setOpen] = useState<WriteId | null>(null)
  const [correlationId] = useState(newCorrelationId)
  const closedOf = useClosed({ live: state.live })
  const closed = closedOf('customers.delete', whyClosed(request, found))
  return (
    <article aria-label="Deletion of a customer" className="mx-auto flex min-h-[calc(100dvh-3.25rem)] max-w-4xl flex-col">
      <div className="grid flex-1 content-start gap-3 pt-2 pb-4">
        <PageHeader
          title={customer ? <Title name={customer.name} /> : 'Delete a customer'}
          meta={`for ${accountName(desk, account)} in ${desk.environment.toUpperCase()}`}
          actions={customer && <CustomerLink customer={customer} account={account} />}
        />
        {found ? (
          <Steps {...props} impact={found.impact} reading={reading} onAgain={again} />
        ) : (
          <Gone request={request} justNow={state.outcome !== null} />
        )}
      </div>
      {/* Once it is proven, the certificate tells the rest. */}
      <div hidden={!found && request?.state === 'executed'} className="-mx-4 lg:mx-0">
        <ActionArea
          id={id}
          label="Deletion"
          choices={customer ? [{ operation: 'customers.delete', opens: 'Delete for ever…', variant: 'danger', closed }] : []}
          state={state}
          open={customer ? open : null}
          onOpen={setOpen}
          now={customer ? `${customer.status}, read anew above` : 'gone'}
          form={(form) =>
            customer && (
              <DeleteForm {...form} customer={customer} account={account} snapshot={found?.snapshot} correlationId={correlationId} />
            )
          }
        />
      </div>
    </article>
  )
}

/** The request, and what the deletion would touch. */
function Steps(props: DeletionDeskProps & { impact: ImpactRead; reading: boolean; onAgain: () => void }) {
  const { id, account, impact, request, reading, onAgain } = props
  return (
    <>
      <Panel title="1. Request">
        {request?.state === 'requested' ? (
          <OpenRequest request={request} onChanged={onAgain} />
        ) : (
          <RequestForm customerId={id} account={account} onRequested={onAgain} />
        )}
      </Panel>
      <section aria-label="Impact" className="grid gap-3">
        <div className="flex items-center justify-between gap-3">
          <h2 className="font-semibold text-sm">2. What it touches, and what stands in the way</h2>
          <Button size="small" loading={reading} onClick={onAgain}>
            Read again
          </Button>
        </div>
        <Impact impact={impact} />
      </section>
    </>
  )
}

function Impact({ impact }: { impact: ImpactRead }) {
  if (!impact.ok) return <ErrorNotice what="The impact could not be read" error={impact.error} requestId={impact.requestId} />
  return (
    <>
      <BlockerList blockers={impact.data.blockers} />
      <ImpactPanel impact={impact.data} />
    </>
  )
}

function CustomerLink({ customer, account }: { customer: Customer; account: string }) {
  const { environment } = useDesk()
  return (
    <>
      <Status kind="customer" status={customer.status} />
      <Link href={recordPath(environment, 'customers', customer.id, { account })} className={buttonVariants({ size: 'small' })}>
        The customer
      </Link>
    </>
  )
}

const Title = ({ name }: { name: string }) => (
  <>
    Delete <bdi>{name}</bdi>
  </>
)

/** The first thing that closes the last step; the server looks at the same once more. */
function whyClosed(request: DeletionView | null, found: FoundCustomer | null): string | null {
  if (request?.state !== 'requested') return 'Ask for the deletion first: who asks, and on which ground.'
  if (!found?.impact.ok) return 'What it touches could not be read.'
  return found.impact.data.blockers.length > 0 ? 'Something stands in the way, see above.' : null
}

/** The customer is not there: deleted here, with the proof; or unknown in this account. */
function Gone({ request, justNow }: { request: DeletionView | null; justNow: boolean }) {
  if (request?.state === 'executed') return <Deleted request={request} justNow={justNow} />
  return (
    <Notice tone="neutral" title="This customer is not there">
      <p>
        The payments service does not know it in this account.{' '}
        {request && 'A deletion was asked for; whether that was the cause is not proven.'}
      </p>
    </Notice>
  )
}

/** The way to the certificate; whoever has just deleted is led to it, because what they pressed is gone. */
function Deleted({ request, justNow }: { request: DeletionView; justNow: boolean }) {
  const { environment } = useDesk()
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (justNow) link.current?.focus()
  }, [justNow])
  return (
    <Notice
      tone="good"
      role="status"
      title="Deleted for ever"
      actions={
        <Link ref={link} href={deletionPath(environment, request.id)} className={buttonVariants({ variant: 'primary' })}>
          Open the certificate
        </Link>
      }
    >
      <p>The payments service deleted the customer, and what Paydesk held of the person is erased.</p>
    </Notice>
  )
}
