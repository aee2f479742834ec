'use client'

import Link from 'next/link'
import { lazy, type ReactNode, Suspense } from 'react'
import { AgeChip } from '@/components/kits/layout/age-chip'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { StatusBadge } from '@/components/ui/status-badge'
import { accountName } from '@/lib/client/desk'
import type { Tone } from '@/lib/domain/status'
import { listPath, recordPath } from '@/lib/routes'
import { CloseIcon, OpenPageIcon, ReadAgainIcon } from './icons'
import type { RecordNouns } from './record-failed'
import { type Owner, ownerText } from './use-owner'

const CopyRecord = lazy(() => import('./copy-record').then((module) => ({ default: module.CopyRecord })))

/** After this the data on the screen is too old to decide on without reading again. */
const staleAfter = 60_000

type RecordHeadProps = {
  nouns: RecordNouns
  record: { id: string }
  /** The record's account; null where the service keeps none for this kind. */
  account: string | null
  title: ReactNode
  status?: { tone: Tone; label: string }
  /** The line below: to whom, of whom, for which account; `OwnerWords` writes account and environment. */
  children?: ReactNode
  readAt: string
  reading: boolean
  onRead: () => void
  onClose?: () => void
}

/** What it is, in which state, whose and where; how old this is; read again, copy, open as a page, close. */
export function RecordHead(props: RecordHeadProps) {
  const { title, status, children, onClose } = props
  const Heading = onClose ? 'h2' : 'h1'
  return (
    <header className="grid gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Heading className="min-w-0 break-words font-semibold text-2xl">{title}</Heading>
        {status && <StatusBadge tone={status.tone}>{status.label}</StatusBadge>}
        <HeadButtons {...props} />
      </div>
      {children && <div className="text-base text-ink-2">{children}</div>}
    </header>
  )
}

/** "for Acme in SANDBOX". */
export function OwnerWords({ owner }: { owner: Owner }) {
  const desk = useDesk()
  return (
    <>
      for <span className="font-medium text-ink">{ownerText(owner, (account) => accountName(desk, account))}</span> in{' '}
      <span className="font-semibold text-ink">{desk.environment.toUpperCase()}</span>
    </>
  )
}

function HeadButtons({ nouns, record, account, readAt, reading, onRead, onClose }: RecordHeadProps) {
  const desk = useDesk()
  return (
    <div className="ml-auto flex items-center gap-0.5 print:hidden">
      <span className="mr-1">
        <AgeChip at={readAt} limit={staleAfter} />
      </span>
      <Button size="icon" variant="quiet" loading={reading} onClick={onRead} title="Read again" aria-label="Read again">
        {!reading && <ReadAgainIcon />}
      </Button>
      <Suspense fallback={null}>
        <CopyRecord nouns={nouns} record={record} account={account} />
      </Suspense>
      {!onClose && (
        <Link href={listPath(desk.environment, nouns.resource, { account: desk.account })} className={buttonVariants({ size: 'small' })}>
          All {nouns.many}
        </Link>
      )}
      {onClose && (
        <>
          <Link
            href={recordPath(desk.environment, nouns.resource, record.id, { account: desk.account })}
            title="Open as a page"
            aria-label="Open as a page"
            className={buttonVariants({ size: 'icon', variant: 'quiet' })}
          >
            <OpenPageIcon />
          </Link>
          <Button size="icon" variant="quiet" onClick={onClose} title="Close" aria-label={`Close the ${nouns.one}`}>
            <CloseIcon />
          </Button>
        </>
      )}
    </div>
  )
}
