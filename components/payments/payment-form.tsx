'use client'

import { DecisionForm } from './decision-form'
import { EditForm } from './edit-form'
import type { PaymentFormProps } from './payment-form-props'
import { RefundForm } from './refund-form'
import { ResubmitForm } from './resubmit-form'

/** The form of whatever is to be done with a payment. */
export function PaymentForm(props: PaymentFormProps) {
  const action = props.operation.slice(props.operation.indexOf('.') + 1)
  switch (action) {
    case 'release':
    case 'hold':
    case 'cancel':
      return <DecisionForm {...props} action={action} />
    case 'update':
      return <EditForm {...props} />
    case 'resubmit':
      return <ResubmitForm {...props} />
    case 'refund':
      return <RefundForm {...props} />
    default:
      return null
  }
}
