'use client'

import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordStatusBadge } from '@/components/kits/layout/panel'
import { RefreshButton } from '@/components/kits/layout/refresh-button'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { operationQuery } from '@/lib/client/query/reads'
import { getStatusWords } from '@/lib/domain/status'
import { getConnectNextStep } from '@/lib/features/connect/labels'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import { newRecordPath, recordPath } from '@/lib/routes'
import type { ConnectTarget } from './link-form'

const pollIntervalMs = 2_000
const maxPolls = 30

type ConnectedPaykeyProps = { id: string; place: ConnectTarget; onAnother: () => void }

/**
 * Shows a new paykey as read from the service, because the message of the hosted page is used only
 * for the id. While the paykey is pending, it is read again every 2 seconds for up to a minute.
 */
export function ConnectedPaykey({ id, place, onAnother }: ConnectedPaykeyProps) {
  const context = usePageContext()
  const { environment } = context
  const paykeyQuery = useQuery({
    ...operationQuery({ environment, account: place.account }, 'paykeys.get', { id }),
    refetchInterval: ({ state }) =>
      state.data?.data.status === 'pending' && state.dataUpdateCount < maxPolls
        ? pollIntervalMs
        : false,
  })
  if (paykeyQuery.data)
    return (
      <NewPaykeyNotice
        paykey={paykeyQuery.data.data}
        place={place}
        reading={paykeyQuery.isFetching}
        onRead={() => void paykeyQuery.refetch()}
        onAnother={onAnother}
      />
    )
  if (paykeyQuery.error) {
    return (
      <ErrorNotice
        what="A bank account was connected but could not be read"
        error={paykeyQuery.error.toWire()}
        requestId={paykeyQuery.error.requestId}
        actions={<Button onClick={() => void paykeyQuery.refetch()}>Try again</Button>}
      />
    )
  }
  return <Skeleton className="h-32" />
}

type NewPaykeyProps = {
  paykey: Paykey
  place: ConnectTarget
  reading: boolean
  onRead: () => void
  onAnother: () => void
}

function NewPaykeyNotice({ paykey, place, reading, onRead, onAnother }: NewPaykeyProps) {
  const context = usePageContext()
  const { account, customer } = place
  const recordLink = (
    <Link
      href={recordPath(context, 'paykeys', paykey.id, { account })}
      className={buttonVariants()}
    >
      Open the paykey
    </Link>
  )
  if (paykey.customer_id !== customer.id) {
    return (
      <Notice
        tone="bad"
        role="alert"
        title="This paykey belongs to another customer"
        actions={recordLink}
      >
        <p>No action is available here. Check the paykey first, and report this to the provider.</p>
      </Notice>
    )
  }
  const { title, text, next } = getConnectNextStep(paykey.status)
  const statusMessage = paykey.status_details?.message
  return (
    <Notice
      tone={getStatusWords('paykey', paykey.status).tone}
      role="status"
      title={<span className="text-base">{title}</span>}
      actions={
        <>
          {next === 'pay' && <NewPaymentLinks paykey={paykey} account={account} />}
          {next === 'decide' ? (
            <Link
              href={recordPath(context, 'paykeys', paykey.id, { account })}
              className={buttonVariants({ variant: 'primary' })}
            >
              Open review
            </Link>
          ) : (
            recordLink
          )}
          {next === 'wait' && <RefreshButton size="default" reading={reading} onRefresh={onRead} />}
          <Button variant="quiet" onClick={onAnother}>
            Connect another
          </Button>
        </>
      }
    >
      <p className="flex flex-wrap items-center gap-2">
        <ExternalText className="font-semibold text-ink">
          {paykey.label ?? 'Bank account'}
        </ExternalText>
        <RecordStatusBadge kind="paykey" status={paykey.status} />
      </p>
      <p>{text}</p>
      {statusMessage && (
        <p className="text-ink-3 text-xs">
          Provider’s reason: “<ExternalText>{statusMessage}</ExternalText>”
        </p>
      )}
    </Notice>
  )
}

const NewPaymentLinks = ({ paykey, account }: { paykey: Paykey; account: string | null }) => {
  const context = usePageContext()
  const newPaymentParams = { account, paykey: paykey.id }
  return (
    <>
      <Link
        href={newRecordPath(context, 'charges', newPaymentParams)}
        className={buttonVariants({ variant: 'primary' })}
      >
        Create a charge
      </Link>
      <Link href={newRecordPath(context, 'payouts', newPaymentParams)} className={buttonVariants()}>
        Create a payout
      </Link>
    </>
  )
}
