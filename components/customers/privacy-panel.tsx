'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import type { Owner } from '@/components/kits/record/use-owner'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { readDeletions } from '@/lib/client/deletions'
import { dayText } from '@/lib/dates'
import { rolesText } from '@/lib/domain/permissions'
import type { Customer } from '@/lib/operations/customers.schema'
import { provers } from '@/lib/operations/define'
import type { DeletionView } from '@/lib/operations/deletion'
import { deleteCustomerPath } from '@/lib/routes'

/** Whether a deletion was asked for, and the way to ask for one. */
export function PrivacyPanel({ customer, owner }: { customer: Customer; owner: Owner }) {
  const desk = useDesk()
  const query = useQuery(readDeletions(desk, customer.id))
  const open = query.data?.data.find(({ state }) => state === 'requested')
  const may = desk.person.roles.some((role) => provers.includes(role))
  const why = may ? owner.why : `Only ${rolesText(provers)} can ask for a deletion.`
  const words = open ? 'Look at the deletion' : 'Ask for deletion…'
  return (
    <Panel title="Privacy" className="print:hidden">
      <div className="grid justify-items-start gap-2">
        {query.error && query.error.code !== 'unauthenticated' && (
          <p className="text-ink-2">Whether a deletion was asked for could not be read: {query.error.message}</p>
        )}
        {open ? <OpenRequest request={open} /> : <p className="text-ink-3">No deletion is asked for.</p>}
        {why === null ? (
          <Link
            href={deleteCustomerPath(desk.environment, customer.id, { account: owner.account })}
            className={buttonVariants({ size: 'small' })}
          >
            {words}
          </Link>
        ) : (
          <Button size="small" disabledReason={why}>
            {words}
          </Button>
        )}
      </div>
    </Panel>
  )
}

const OpenRequest = ({ request }: { request: DeletionView }) => (
  <p className="font-medium text-held">
    {request.own ? 'You' : request.requested_by} asked for its deletion <RelativeTime at={request.created_at} show="ago" />
    {request.due_on && <>; due on {dayText(request.due_on)}</>}.
  </p>
)
