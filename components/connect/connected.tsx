'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Status } from '@/components/kits/record/status'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { read } from '@/lib/client/queries'
import { followsFrom } from '@/lib/domain/paykey-link'
import { statusWords } from '@/lib/domain/status'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import { newPath, recordPath } from '@/lib/routes'
import type { LinkPlace } from './place'

const lookEvery = 2_000
const looks = 30

type ConnectedProps = { id: string; place: LinkPlace; onAnother: () => void }

/**
 * The paykey that was made, read from the service: an answer or a message that says "success" says only that there is one. While it is being
 * verified it is read again every two seconds, for a minute.
 */
export function Connected({ id, place, onAnother }: ConnectedProps) {
  const { environment } = useDesk()
  const paykey = useQuery({
    ...read({ environment, account: place.account }, 'paykeys.get', { id }),
    refetchInterval: ({ state }) => (state.data?.data.status === 'pending' && state.dataUpdateCount < looks ? lookEvery : false),
  })
  if (paykey.data)
    return (
      <Made
        paykey={paykey.data.data}
        place={place}
        reading={paykey.isFetching}
        onRead={() => void paykey.refetch()}
        onAnother={onAnother}
      />
    )
  if (paykey.error) {
    return (
      <ErrorNotice
        what="A bank account was connected, and it could not be read"
        error={paykey.error.toWire()}
        requestId={paykey.error.requestId}
        actions={<Button onClick={() => void paykey.refetch()}>Read again</Button>}
      />
    )
  }
  return <Skeleton className="h-32" />
}

type MadeProps = { paykey: Paykey; place: LinkPlace; reading: boolean; onRead: () => void; onAnother: () => void }

function Made({ paykey, place, reading, onRead, onAnother }: MadeProps) {
  const { environment } = useDesk()
  const { account, customer } = place
  const record = (
    <Link href={recordPath(environment, 'paykeys', paykey.id, { account })} className={buttonVariants()}>
      Open the paykey
    </Link>
  )
  if (paykey.customer_id !== customer.id) {
    return (
      <Notice tone="bad" role="alert" title="The paykey that was named belongs to somebody else" actions={record}>
        <p>Nothing is offered for it here. Look at it before anything else is done, and tell the provider.</p>
      </Notice>
    )
  }
  const { title, text, next } = followsFrom(paykey.status)
  const message = paykey.status_details?.message
  return (
    <Notice
      tone={statusWords('paykey', paykey.status).tone}
      role="status"
      title={<span className="text-base">{title}</span>}
      actions={
        <>
          {next === 'pay' && <PayLinks paykey={paykey} account={account} />}
          {next === 'decide' ? (
            <Link href={recordPath(environment, 'paykeys', paykey.id, { account })} className={buttonVariants({ variant: 'primary' })}>
              Go to its review
            </Link>
          ) : (
            record
          )}
          {next === 'wait' && (
            <Button loading={reading} onClick={onRead}>
              Read again
            </Button>
          )}
          <Button variant="quiet" onClick={onAnother}>
            Connect another one
          </Button>
        </>
      }
    >
      <p className="flex flex-wrap items-center gap-2">
        <bdi className="font-semibold text-ink">{paykey.label ?? 'Bank account'}</bdi>
        <Status kind="paykey" status={paykey.status} />
      </p>
      <p>{text}</p>
      {message && (
        <p className="text-ink-3 text-xs">
          Provider said: “<bdi>{message}</bdi>”
        </p>
      )}
    </Notice>
  )
}

const PayLinks = ({ paykey, account }: { paykey: Paykey; account: string | null }) => {
  const { environment } = useDesk()
  const search = { account, paykey: paykey.id }
  return (
    <>
      <Link href={newPath(environment, 'charges', search)} className={buttonVariants({ variant: 'primary' })}>
        Create a charge
      </Link>
      <Link href={newPath(environment, 'payouts', search)} className={buttonVariants()}>
        Create a payout
      </Link>
    </>
  )
}
