'use client'

import { useQuery } from '@tanstack/react-query'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { CalendarDate, RelativeTime } from '@/components/kits/layout/relative-time'
import type { OwnerAccount } from '@/components/kits/record/side-reads'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { operationQuery } from '@/lib/client/query/reads'
import { formatRoles } from '@/lib/domain/permissions'
import type { Customer } from '@/lib/operations/customers.schema'
import { evidenceRoles } from '@/lib/operations/define'
import type { DeletionView } from '@/lib/operations/deletion'
import { deleteCustomerPath } from '@/lib/routes'

export function PrivacyPanel({ customer, owner }: { customer: Customer; owner: OwnerAccount }) {
  const context = usePageContext()
  const deletionsQuery = useQuery(
    operationQuery(context, 'deletions.list', { customer: customer.id }),
  )
  const openDeletionRequest = deletionsQuery.data?.data.find(({ state }) => state === 'requested')
  const canRequestDeletion = context.person.roles.some((role) => evidenceRoles.includes(role))
  const requestDisabledReason = canRequestDeletion
    ? owner.why
    : `Only ${formatRoles(evidenceRoles)} can request a deletion.`
  const deletionLinkText = openDeletionRequest ? 'Open deletion' : 'Request deletion…'
  return (
    <Panel title="Privacy" className="print:hidden">
      <div className="grid justify-items-start gap-2">
        {deletionsQuery.error && deletionsQuery.error.code !== 'unauthenticated' && (
          <p className="text-ink-2">
            Deletion requests could not be read: {deletionsQuery.error.message}
          </p>
        )}
        {openDeletionRequest ? (
          <OpenDeletionFact request={openDeletionRequest} />
        ) : (
          <p className="text-ink-3">No deletion requested.</p>
        )}
        {requestDisabledReason === null ? (
          <Link
            href={deleteCustomerPath(context, customer.id, { account: owner.account })}
            className={buttonVariants({ size: 'small' })}
          >
            {deletionLinkText}
          </Link>
        ) : (
          <Button size="small" disabledReason={requestDisabledReason}>
            {deletionLinkText}
          </Button>
        )}
      </div>
    </Panel>
  )
}

const OpenDeletionFact = ({ request }: { request: DeletionView }) => (
  <p className="font-medium text-held">
    {request.own ? 'You' : request.requested_by} requested the deletion{' '}
    <RelativeTime at={request.created_at} show="ago" />
    {request.due_on && (
      <>
        ; due on <CalendarDate date={request.due_on} />
      </>
    )}
    .
  </p>
)
