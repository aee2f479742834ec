'use client'

import type { OpenedFormProps } from '@/components/kits/action/action-area'
import { useApprovalNeed } from '@/components/kits/action/approval-notice'
import { ActionForm } from '@/components/kits/form/action-form'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Notice } from '@/components/ui/notice'
import { getAccountName } from '@/lib/client/page-context'
import { listDeletionReasons } from '@/lib/features/deletions/labels'
import { type Customer, customerSchemas } from '@/lib/operations/customers.schema'
import type { DeletionView } from '@/lib/operations/deletion'

type DeleteCustomerFormProps = OpenedFormProps & {
  customer: Customer
  /** The open deletion request. */
  request: DeletionView | null
  account: string | null
  snapshot: string | undefined
  correlationId: string
}

const strongClasses = 'font-semibold text-ink'

export function DeleteCustomerForm({ customer, request, ...form }: DeleteCustomerFormProps) {
  const context = usePageContext()
  // Another person's deletion request is the approval of that person.
  const approvalNeed = useApprovalNeed('customers.delete', customer.id, {
    account: form.account,
    enabled: request?.own === true,
  })
  const isOnlyRequested = approvalNeed?.possible === true && approvalNeed.second.length > 0
  const { frame } = useActionForm({
    ...form,
    operation: 'customers.delete',
    id: customer.id,
    reasons: listDeletionReasons(request?.asker),
    names: [customer.name],
    confirmation: { label: 'Type the customer’s name', expected: customer.name },
    schema: customerSchemas['customers.delete'].input,
    values: {},
    toInput: () => ({}),
  })
  return (
    <ActionForm
      {...frame}
      layout="panel"
      sentence={
        <div className="grid gap-2">
          <p>
            Permanently delete{' '}
            <strong className={strongClasses}>
              <ExternalText>{customer.name}</ExternalText>
            </strong>{' '}
            for <strong className={strongClasses}>{getAccountName(context, form.account)}</strong>{' '}
            in <strong className={strongClasses}>{context.environment.toUpperCase()}</strong>.
          </p>
          <Notice tone="bad" title="This cannot be undone">
            <p>
              The payments service erases the customer record, the identity data and the review, and
              permanently deactivates the customer’s bank accounts. Paydesk then erases its own data
              about the person. Nothing can be looked up later.
            </p>
          </Notice>
        </div>
      }
      send={`Permanently delete ${customer.name}`}
      requestLabel={isOnlyRequested ? 'Request deletion' : null}
      danger
    />
  )
}
