'use client'

import { Link } from '@/components/kits/layout/link'
import { PersonName } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { buttonVariants } from '@/components/ui/button-variants'
import type { ActionView } from '@/lib/operations/answer'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { approvalPath } from '@/lib/routes'
import { OutcomePanel } from './outcome-panel'

/** Until an approver decides, no other action on the same record is possible. */
export function AwaitingApproval({ action }: { action: ActionView }) {
  const context = usePageContext()
  return (
    <div className="grid gap-1">
      <OutcomePanel
        outcome={{ operation: action.operation, action }}
        actions={
          <Link
            href={approvalPath(context, action.id)}
            className={buttonVariants({ variant: action.own ? 'secondary' : 'primary' })}
          >
            {action.own ? 'Open the request' : 'Review the request'}
          </Link>
        }
      />
      <p className="text-ink-3 text-xs">
        Requested by <PersonName own={action.own} name={action.actor} />:{' '}
        {getServiceOperation(action.operation).verbPhrase}. The request expires{' '}
        <RelativeTime at={action.expires_at} show="ago" />. Other decisions are locked until it’s
        decided.
      </p>
    </div>
  )
}
