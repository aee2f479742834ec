'use client'

import { Copy, ExternalLink, RotateCw, X } from 'lucide'
import { lazy, type ReactNode, use, useRef, useState } from 'react'
import { focusAwaitedHeading } from '@/components/kits/layout/focus'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { pageTitleClasses } from '@/components/kits/layout/page-header'
import { AgeChip } from '@/components/kits/layout/relative-time'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { NotesButton } from '@/components/kits/notes/notes-button'
import {
  PendingRecordContext,
  UnreadableFields,
} from '@/components/kits/unreadable/unreadable-fields'
import { Boundary } from '@/components/ui/boundary'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { LineIcon } from '@/components/ui/line-icon'
import { Skeleton } from '@/components/ui/skeleton'
import { StatusBadge } from '@/components/ui/tone'
import { getAccountName } from '@/lib/client/page-context'
import type { Tone } from '@/lib/domain/status'
import { getUnreadableFields } from '@/lib/operations/answer'
import { isResourceWithNotes } from '@/lib/operations/notes'
import { listPath, recordPath } from '@/lib/routes'
import type { CopiedRecord } from './copy-panel'
import { RecordDecisionContext } from './decision-context'
import type { RecordNouns } from './record-failed'
import { formatOwnerAccount, type OwnerAccount } from './side-reads'

/** Maximum milliseconds between the two keys of a shortcut. */
const chordTimeoutMs = 1500

const NotesPanel = lazy(() =>
  import('@/components/kits/notes/notes-panel').then((module) => ({ default: module.NotesPanel })),
)

const importCopyPanel = () => import('./copy-panel')
const CopyPanel = lazy(() => importCopyPanel().then((module) => ({ default: module.CopyPanel })))

/**
 * Copies the record's id, link, curl command or JSON. The shortcut is `y`, then `i`, `l`, `c` or
 * `j`.
 */
function CopyRecordMenu({ nouns, record, account }: Omit<CopiedRecord, 'link' | 'integration'>) {
  const context = usePageContext()
  const [statusText, setStatusText] = useState('')
  const [open, setOpen] = useState(false)
  const chordStartedAt = useRef(Number.NEGATIVE_INFINITY)
  const recordLink = recordPath(context.environment, nouns.resource, record.id, { account })
  const { integration } = context
  const copiedRecord = { nouns, record, account, integration, link: recordLink }
  const copyLabels: Record<string, string> = {
    i: `${nouns.one} ID`,
    l: 'link',
    c: 'cURL without the key',
    j: 'JSON',
  }
  const shortcutLabels = {
    group: 'Record',
    keys: Object.fromEntries(
      Object.entries(copyLabels).map(([key, what]) => [`y ${key}`, `Copy the ${what}`]),
    ),
  }
  const startChord = () => {
    chordStartedAt.current = Date.now()
  }
  useShortcut('y', startChord, true, shortcutLabels)
  useShortcut(Object.keys(copyLabels), ({ key }) => {
    if (Date.now() - chordStartedAt.current > chordTimeoutMs) return
    chordStartedAt.current = Number.NEGATIVE_INFINITY
    importCopyPanel()
      .then(({ toCopyText: textOf }) => navigator.clipboard.writeText(textOf(key, copiedRecord)))
      .then(
        () => setStatusText(`Copied the ${copyLabels[key]}`),
        () => setStatusText('The browser did not allow copying'),
      )
  })
  return (
    <details
      className="relative"
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.removeAttribute('open')}
    >
      <summary
        title="Copy: y, then i, l, c or j"
        aria-label="Copy"
        className={`${buttonVariants({ size: 'icon', variant: 'quiet' })} list-none`}
      >
        <LineIcon shapes={Copy} className="size-4" />
      </summary>
      {open && (
        <Boundary fallback={null}>
          <CopyPanel whats={copyLabels} {...copiedRecord} />
        </Boundary>
      )}
      <span role="status" className="sr-only">
        {statusText}
      </span>
    </details>
  )
}

/** Age in milliseconds from which on the person should refresh a record before a decision. */
const staleAfterMs = 60_000

type RecordHeadProps = {
  nouns: RecordNouns
  record: { id: string }
  /** The record's account. Null if records of this kind have none. */
  account: string | null
  title: ReactNode
  status?: { tone: Tone; label: string }
  /** The line below the title: payee, payer or account. */
  children?: ReactNode
  readAt: string
  reading: boolean
  onRead: () => void
  onClose?: () => void
}

export function RecordHead(props: RecordHeadProps) {
  const { nouns, title, status, record, children, onClose } = props
  const [notesOpen, setNotesOpen] = useState(false)
  const notedRecord = isResourceWithNotes(nouns.resource)
    ? { resource: nouns.resource, record: record.id }
    : null
  const isPartOfDecision = use(RecordDecisionContext) !== null
  const Heading = onClose || isPartOfDecision ? 'h2' : 'h1'
  return (
    <header className="grid gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Heading
          ref={focusAwaitedHeading}
          tabIndex={-1}
          data-heading={record.id}
          className={pageTitleClasses}
        >
          {title}
        </Heading>
        {status && <StatusBadge tone={status.tone}>{status.label}</StatusBadge>}
        <HeadButtons {...props} />
      </div>
      {(notedRecord || children) && (
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0 text-base text-ink-2">{children}</div>
          {notedRecord && (
            <NotesButton noted={notedRecord} open={notesOpen} onToggle={setNotesOpen} />
          )}
        </div>
      )}
      {notedRecord && notesOpen && (
        <Boundary fallback={<Skeleton className="h-40" />}>
          <NotesPanel noted={notedRecord} />
        </Boundary>
      )}
      <UnreadableFields parts={getUnreadableFields(record)} />
    </header>
  )
}

/** Renders "for Acme in SANDBOX". */
export function RecordAccountText({ owner }: { owner: OwnerAccount }) {
  const context = usePageContext()
  return (
    <>
      for{' '}
      <ExternalText className="font-medium text-ink">
        {formatOwnerAccount(owner, (account) => getAccountName(context, account))}
      </ExternalText>{' '}
      in <span className="font-semibold text-ink">{context.environment.toUpperCase()}</span>
      <OtherAccountNote account={owner.account} />
    </>
  )
}

/**
 * States that the record does not belong to the selected account. The selected account stays the
 * scope of all lists.
 */
export function OtherAccountNote({ account }: { account: string | null }) {
  const context = usePageContext()
  if (context.scope === null || account === null || account === context.scope) return null
  return (
    <span className="font-medium text-held">
      , outside the selected account, {getAccountName(context, context.scope)}
    </span>
  )
}

function HeadButtons({
  nouns,
  record,
  account,
  readAt,
  reading,
  onRead,
  onClose,
}: RecordHeadProps) {
  const context = usePageContext()
  const isPartOfDecision = use(RecordDecisionContext) !== null
  return (
    <div className="ml-auto flex flex-wrap items-center justify-end gap-0.5 print:hidden">
      <span className="mr-1">
        <AgeChip
          at={readAt}
          limit={staleAfterMs}
          what={use(PendingRecordContext) ? 'As of' : undefined}
        />
      </span>
      <Button
        size="icon"
        variant="quiet"
        loading={reading}
        onClick={onRead}
        title="Refresh"
        aria-label={`Refresh the ${nouns.one}`}
      >
        {!reading && <LineIcon shapes={RotateCw} className="size-4" />}
      </Button>
      <CopyRecordMenu nouns={nouns} record={record} account={account} />
      {!onClose && !isPartOfDecision && (
        <Link
          href={listPath(context, nouns.resource)}
          className={buttonVariants({ size: 'small' })}
        >
          All {nouns.many}
        </Link>
      )}
      {onClose && (
        <>
          <Link
            href={recordPath(context, nouns.resource, record.id, { account })}
            title="Open as a page"
            aria-label="Open as a page"
            className={buttonVariants({ size: 'icon', variant: 'quiet' })}
          >
            <LineIcon shapes={ExternalLink} className="size-4" />
          </Link>
          <Button
            size="icon"
            variant="quiet"
            onClick={onClose}
            title="Close"
            aria-label={`Close the ${nouns.one}`}
          >
            <LineIcon shapes={X} className="size-4" />
          </Button>
        </>
      )}
    </div>
  )
}
