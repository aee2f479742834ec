'use client'

import type { OpenForm } from '@/components/kits/action/action-area'
import { ConfirmForm } from '@/components/kits/action/confirm-form'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Notice } from '@/components/ui/notice'
import { accountName } from '@/lib/client/desk'
import { deletionReasons } from '@/lib/domain/deletion-reasons'
import { type Customer, customerSchemas } from '@/lib/operations/customers.schema'

type DeleteFormProps = OpenForm & { customer: Customer; account: string; snapshot: string | undefined; correlationId: string }

const strong = 'font-semibold text-ink'

/** The last step: the sentence, the warning, the reason, the name typed out. */
export function DeleteForm({ customer, ...form }: DeleteFormProps) {
  const desk = useDesk()
  return (
    <ConfirmForm
      {...form}
      operation="customers.delete"
      id={customer.id}
      sentence={
        <div className="grid gap-2">
          <p>
            Delete{' '}
            <strong className={strong}>
              <bdi>{customer.name}</bdi>
            </strong>{' '}
            for <strong className={strong}>{accountName(desk, form.account)}</strong> in{' '}
            <strong className={strong}>{desk.environment.toUpperCase()}</strong> for ever.
          </p>
          <Notice tone="bad" title="This cannot be taken back, by nobody">
            <p>
              The record, its identity data and its review are erased at the payments service, its bank accounts are switched off for good,
              and what Paydesk holds of the person is erased right after. A later wish to look something up will find nothing.
            </p>
          </Notice>
        </div>
      }
      send={`Delete ${customer.name} for ever`}
      danger
      reasons={deletionReasons}
      names={[customer.name]}
      typed={{ label: 'Type the name of the customer', expected: customer.name }}
      schema={customerSchemas['customers.delete'].input}
      values={{}}
      toInput={() => ({})}
    />
  )
}
