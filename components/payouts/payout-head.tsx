'use client'

import Link from 'next/link'
import { lazy, Suspense } from 'react'
import { AgeChip } from '@/components/kits/layout/age-chip'
import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { StatusBadge } from '@/components/ui/status-badge'
import { accountName } from '@/lib/client/desk'
import { statusWords } from '@/lib/domain/status'
import type { Payout } from '@/lib/operations/payouts.schema'
import { payoutsPath } from '@/lib/routes'
import { detailHref } from './detail-href'
import { CloseIcon, OpenPageIcon, ReadAgainIcon } from './icons'
import type { PayoutAccount } from './use-payout-account'

const CopyPayout = lazy(() => import('./copy-payout').then((module) => ({ default: module.CopyPayout })))

/** After this the data on the screen is too old to decide on without reading again. */
const staleAfter = 60_000

type PayoutHeadProps = { payout: Payout; owner: PayoutAccount; readAt: string; reading: boolean; onRead: () => void; onClose?: () => void }

/** How much, to whom, for which account, in which environment; how old this is. */
export function PayoutHead(props: PayoutHeadProps) {
  const { payout, owner, onClose } = props
  const desk = useDesk()
  const words = statusWords('payment', payout.status)
  const Heading = onClose ? 'h2' : 'h1'
  return (
    <header className="grid gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Heading className="font-semibold text-2xl">
          <span className="sr-only">Payout of </span>
          <Amount raw={payout.amount} currency={payout.currency} unit={desk.amountUnit} withRaw />
        </Heading>
        <StatusBadge tone={words.tone}>{words.label}</StatusBadge>
        <HeadButtons {...props} />
      </div>
      <p className="text-base text-ink-2">
        to <bdi className="font-medium text-ink">{payout.customer_details?.name ?? 'an unknown customer'}</bdi>,{' '}
        <bdi>{payout.paykey_details?.label ?? 'bank account unknown'}</bdi>, for{' '}
        <span className="font-medium text-ink">{ownerText(owner, (account) => accountName(desk, account))}</span> in{' '}
        <span className="font-semibold text-ink">{desk.environment.toUpperCase()}</span>
      </p>
    </header>
  )
}

function ownerText(owner: PayoutAccount, nameOf: (account: string) => string): string {
  if (owner.account !== null) return nameOf(owner.account)
  return owner.finding ? 'finding the account…' : 'an unknown account'
}

function HeadButtons({ payout, owner, readAt, reading, onRead, onClose }: PayoutHeadProps) {
  const desk = useDesk()
  return (
    <div className="ml-auto flex items-center gap-0.5">
      <span className="mr-1">
        <AgeChip at={readAt} limit={staleAfter} />
      </span>
      <Button size="icon" variant="quiet" loading={reading} onClick={onRead} title="Read again" aria-label="Read again">
        {!reading && <ReadAgainIcon />}
      </Button>
      <Suspense fallback={null}>
        <CopyPayout payout={payout} account={owner.account} />
      </Suspense>
      {!onClose && (
        <Link href={payoutsPath(desk.environment, { account: desk.account })} className={buttonVariants({ size: 'small' })}>
          All payouts
        </Link>
      )}
      {onClose && (
        <>
          <Link
            href={detailHref(desk.environment, desk.account, payout.id)}
            title="Open as a page"
            aria-label="Open as a page"
            className={buttonVariants({ size: 'icon', variant: 'quiet' })}
          >
            <OpenPageIcon />
          </Link>
          <Button size="icon" variant="quiet" onClick={onClose} title="Close" aria-label="Close the payout">
            <CloseIcon />
          </Button>
        </>
      )}
    </div>
  )
}
