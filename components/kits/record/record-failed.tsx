'use client'

import Link from 'next/link'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { accountName } from '@/lib/client/desk'
import type { WireError } from '@/lib/errors'
import { listPath, type RecordResource, recordPath } from '@/lib/routes'

/** How a kind of record is called on the screen. */
export type RecordNouns = { resource: RecordResource; one: string; many: string }

type RecordFailedProps = {
  nouns: RecordNouns
  id: string
  error: WireError
  requestId: string | undefined
  onAgain: () => void
  onClose?: () => void
}

/** Why the record is not here: unknown in this scope, with the ways on, or an error with another try. */
export function RecordFailed({ nouns, id, error, requestId, onAgain, onClose }: RecordFailedProps) {
  const desk = useDesk()
  const scope = desk.account === null ? 'the whole platform' : accountName(desk, desk.account)
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
              <Link href={recordPath(desk.environment, nouns.resource, id)} className={buttonVariants()}>
                Look in the whole platform
              </Link>
            )}
            <Link
              href={listPath(desk.environment, nouns.resource, { account: desk.account })}
              className={buttonVariants({ variant: 'quiet' })}
            >
              All {nouns.many}
            </Link>
            {close}
          </>
        }
      >
        <p>
          No {nouns.one} <code className="break-all font-mono text-xs">{id}</code> in {desk.environment.toUpperCase()} for {scope}. It may
          belong to another account or environment.
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
  const what = `The ${nouns.one} could not be read`
  return <ErrorNotice className="m-4 lg:mx-6" what={what} error={error} requestId={requestId} actions={actions} />
}
