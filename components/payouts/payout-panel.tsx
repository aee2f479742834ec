'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { accountName } from '@/lib/client/desk'
import { read, readActions } from '@/lib/client/queries'
import { QueryProvider } from '@/lib/client/query-provider'
import type { CallAnswer } from '@/lib/client/request'
import { timeOf } from '@/lib/dates'
import type { WireError } from '@/lib/errors'
import type { ActionView } from '@/lib/operations/answer'
import type { Payout } from '@/lib/operations/payouts.schema'
import { payoutPath, payoutsPath } from '@/lib/routes'
import { PayoutDetail } from './payout-detail'
import { PayoutSkeleton } from './payout-skeleton'

type PayoutPanelProps = {
  id: string
  knownAccount: string | null
  /** What the server read for the first view of the payout's own page. */
  initial?: CallAnswer<Payout>
  initialError?: { error: WireError; requestId: string }
  initialActions?: readonly ActionView[]
  onClose?: () => void
  onChanged?: () => void
}

/** One payout, read and drawn: beside the list or as its own page. */
export const PayoutPanel = (props: PayoutPanelProps) => (
  <QueryProvider>
    <Panel {...props} />
  </QueryProvider>
)

function Panel(props: PayoutPanelProps) {
  const { id, knownAccount, onClose, onChanged } = props
  const { payout, actions, failed } = usePayout(props)
  if (failed) return <Failed id={id} {...failed} onAgain={() => void payout.refetch()} onClose={onClose} />
  if (!payout.data) return <PayoutSkeleton />
  return (
    <PayoutDetail
      key={id}
      answer={payout.data}
      readError={payout.error}
      reading={payout.isFetching}
      onRead={() => void payout.refetch()}
      actions={actions.data?.data ?? []}
      actionsError={actions.error}
      knownAccount={knownAccount}
      onClose={onClose}
      onChanged={onChanged}
    />
  )
}

/** The payout and what Paydesk did with it. What the server read or failed to read counts until the browser has asked itself. */
function usePayout({ id, initial, initialError, initialActions }: PayoutPanelProps) {
  const desk = useDesk()
  const readAt = timeOf(initial?.meta.read_at) ?? undefined
  const asked = { initialData: initial, initialDataUpdatedAt: readAt, enabled: initialError === undefined }
  const payout = useQuery({ ...read(desk, 'payouts.get', { id }), ...asked })
  const firstActions = initialActions && { data: [...initialActions], meta: { request_id: '' }, replayed: false }
  const actions = useQuery({ ...readActions(desk, `payouts/${id}`), initialData: firstActions, initialDataUpdatedAt: readAt })
  const failed = payout.error ? { error: payout.error.toWire(), requestId: payout.error.requestId } : initialError
  return { payout, actions, failed: payout.data ? undefined : failed }
}

type FailedProps = { id: string; error: WireError; requestId: string | undefined; onAgain: () => void; onClose?: () => void }

function Failed({ id, error, requestId, onAgain, onClose }: FailedProps) {
  const desk = useDesk()
  const scope = desk.account === null ? `the whole platform` : accountName(desk, desk.account)
  const close = onClose && (
    <Button variant="quiet" onClick={onClose}>
      Close
    </Button>
  )
  if (error.code === 'service_not_found' || error.code === 'not_found') {
    return (
      <EmptyState
        level={onClose ? 2 : 1}
        className="lg:px-6"
        title={`Not found in ${scope}`}
        actions={
          <>
            {desk.account !== null && (
              <Link href={payoutPath(desk.environment, id)} className={buttonVariants()}>
                Look in the whole platform
              </Link>
            )}
            <Link href={payoutsPath(desk.environment, { account: desk.account })} className={buttonVariants({ variant: 'quiet' })}>
              All payouts
            </Link>
            {close}
          </>
        }
      >
        <p>
          No payout <code className="break-all font-mono text-xs">{id}</code> in {desk.environment.toUpperCase()} for {scope}. It may belong
          to another account or environment.
        </p>
      </EmptyState>
    )
  }
  const actions = (
    <>
      <Button onClick={onAgain}>Read again</Button>
      {close}
    </>
  )
  return <ErrorNotice className="m-4 lg:mx-6" what="The payout could not be read" error={error} requestId={requestId} actions={actions} />
}
