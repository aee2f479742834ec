'use client'

import type { ReactNode } from 'react'
import { type FieldValues, type Path, type UseFormReturn, useWatch } from 'react-hook-form'
import type { OpenedFormProps } from '@/components/kits/action/action-area'
import { DateField } from '@/components/kits/form/fields'
import { Amount } from '@/components/kits/layout/amount'
import { useNow } from '@/components/kits/layout/browser-state'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { getAccountName } from '@/lib/client/page-context'
import { formatBankLabel } from '@/lib/domain/bank-label'
import { formatDeparture } from '@/lib/domain/bank-time'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import type { PaymentAction } from '@/lib/domain/payment-rules'
import type { Warning } from '@/lib/domain/warnings'
import { getPaymentActionTexts, paymentNouns } from '@/lib/features/payments/labels'
import { moneyText } from '@/lib/money'

export type PaymentFormProps = OpenedFormProps & {
  kind: PaymentKind
  payment: Payment
  account: string | null
  snapshot: string | undefined
  correlationId: string
  warnings: readonly Warning[]
}

/** `today` is the date in New York. The schema reports invalid dates. */
export const findPastDateFault = (date: string, today: string): Record<string, string> =>
  date !== '' && date < today ? { payment_date: 'has passed: choose today or a later day' } : {}

/** The field for the payment date. Its hint names the banking day on which the payment leaves. */
export function PaymentDateField<V extends FieldValues & { payment_date: string }>({
  form,
}: {
  form: UseFormReturn<V>
}) {
  const fieldName = 'payment_date' as Path<V>
  const date: string = useWatch({ control: form.control, name: fieldName }) ?? ''
  return (
    <DateField
      form={form}
      name={fieldName}
      label="Payment date"
      hint={formatDeparture(date, useNow())}
    />
  )
}

const strongClasses = 'font-semibold text-ink'

type PaymentPartiesProps = {
  way: 'to' | 'from'
  customer: string | undefined
  bank: string | undefined
  account: string | null
}

/** Renders "to Ron, Bank ••1234 for Acme in SANDBOX". */
export function PaymentPartiesText({ way, customer, bank, account }: PaymentPartiesProps) {
  const context = usePageContext()
  return (
    <>
      {way}{' '}
      <strong className={strongClasses}>
        <ExternalText>{customer ?? 'an unknown customer'}</ExternalText>,{' '}
        <ExternalText>{formatBankLabel(bank ?? 'bank account unknown')}</ExternalText>
      </strong>{' '}
      for <strong className={strongClasses}>{getAccountName(context, account)}</strong> in{' '}
      <strong className={strongClasses}>{context.environment.toUpperCase()}</strong>
    </>
  )
}

type DecisionSentenceProps = {
  action: PaymentAction
  kind: PaymentKind
  payment: Payment
  account: string | null
  /**
   * The amount typed in the form, in cents; null if the typed text is not an amount. If undefined,
   * the sentence contains the payment's own amount.
   */
  cents?: number | null
  /** The warnings that the person accepts, as a clause; empty if there are none. */
  although?: string
  children?: ReactNode
}

export function DecisionSentence({
  action,
  kind,
  payment,
  account,
  cents,
  although,
  children,
}: DecisionSentenceProps) {
  const { verb, consequence } = getPaymentActionTexts(kind)[action]
  const directionPreposition = action === 'refund' ? 'to' : paymentNouns[kind].way
  return (
    <p>
      {verb} <AmountText payment={payment} cents={cents} />{' '}
      <PaymentPartiesText
        way={directionPreposition}
        customer={payment.customer_details?.name}
        bank={payment.paykey_details?.label}
        account={account}
      />
      {although && (
        <>
          {' '}
          <strong className={strongClasses}>{although}</strong>
        </>
      )}
      . {children} <span className="text-ink-3">{consequence}</span>
    </p>
  )
}

function AmountText({ payment, cents }: Pick<DecisionSentenceProps, 'payment' | 'cents'>) {
  const { amountUnit } = usePageContext()
  if (cents === null) return <strong className={strongClasses}>an amount not entered yet</strong>
  if (cents !== undefined) {
    return <strong className={strongClasses}>{moneyText(cents, payment.currency)}</strong>
  }
  return (
    <strong className={strongClasses}>
      <Amount raw={payment.amount} currency={payment.currency} unit={amountUnit} />
    </strong>
  )
}
