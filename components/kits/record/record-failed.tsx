'use client'

import { EmptyState } from '@/components/kits/feedback/empty-state'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { getScopeName } from '@/lib/client/page-context'
import type { WireError } from '@/lib/errors'
import { listPath, type RecordResource, recordPath } from '@/lib/routes'

export type RecordNouns = { resource: RecordResource; one: string; many: string }

type RecordReadFailedNoticeProps = {
  /**
   * The search for a payment of either kind has a list, but no page for one payment: its links lead
   * to the open row of that list.
   */
  nouns: RecordNouns | { resource: 'payments'; one: string; many: string }
  id: string
  error: WireError
  requestId: string | undefined
  /**
   * When the service last returned the record (ISO). Set only if the mirror, Paydesk's copy of the
   * data, has the record.
   */
  knownAt?: string | undefined
  onAgain: () => void
  onClose?: () => void
}

export function RecordReadFailedNotice({
  nouns,
  id,
  error,
  requestId,
  knownAt,
  onAgain,
  onClose,
}: RecordReadFailedNoticeProps) {
  const context = usePageContext()
  const accountOrPlatformName = getScopeName(context, context.account)
  const platformScopePath =
    nouns.resource === 'payments'
      ? listPath(context.environment, 'payments', { open: id })
      : recordPath(context.environment, nouns.resource, id)
  const closeButton = onClose && <Button onClick={onClose}>Close</Button>
  if (error.code === 'service_not_found' || error.code === 'not_found') {
    return (
      <EmptyState
        level={onClose ? 2 : 1}
        className="px-4 lg:px-6"
        title={`Not found in ${accountOrPlatformName}`}
        actions={
          <>
            {context.account !== null && (
              <Link href={platformScopePath} className={buttonVariants()}>
                Search the whole platform
              </Link>
            )}
            <Link href={listPath(context, nouns.resource)} className={buttonVariants()}>
              All {nouns.many}
            </Link>
            {closeButton}
          </>
        }
      >
        <p>
          No {nouns.one} <code className="break-all font-mono text-xs">{id}</code> in{' '}
          {context.environment.toUpperCase()} for {accountOrPlatformName}. It may belong to another
          account or environment.
        </p>
        {knownAt && (
          <p>
            The payments service last showed it <RelativeTime at={knownAt} show="both" />, and no
            longer has it.
          </p>
        )}
      </EmptyState>
    )
  }
  const errorButtons = (
    <>
      <Button onClick={onAgain}>Reload {nouns.one}</Button>
      {closeButton}
    </>
  )
  const errorTitle = `The ${nouns.one} could not be read`
  return (
    <ErrorNotice
      className="m-4 lg:mx-6"
      what={errorTitle}
      error={error}
      requestId={requestId}
      actions={errorButtons}
    />
  )
}
