'use client'

import { ConfirmForm } from '@/components/kits/action/confirm-form'
import { useDesk } from '@/components/kits/layout/desk-context'
import { decisionReasons } from '@/lib/domain/decision-reasons'
import { minorUnits } from '@/lib/money'
import { paymentDecision } from '@/lib/operations/payment-input.schema'
import { DecisionSentence } from './decision-sentence'
import { sendLabel } from './decision-words'
import type { PaymentFormProps } from './payment-form-props'
import { paymentOperations } from './payment-operations'

type DecisionFormProps = PaymentFormProps & { action: 'release' | 'hold' | 'cancel' }

const noFields = () => ({})

/** The confirm sheet of a release, hold or cancellation. */
export function DecisionForm({ action, kind, payment, cautions, ...form }: DecisionFormProps) {
  const desk = useDesk()
  return (
    <ConfirmForm
      {...form}
      operation={paymentOperations[kind][action]}
      id={payment.id}
      sentence={<DecisionSentence action={action} kind={kind} payment={payment} account={form.account} />}
      send={sendLabel(action, kind, minorUnits(payment.amount, desk.amountUnit))}
      danger={action === 'cancel'}
      reasons={decisionReasons[action]}
      names={[payment.customer_details?.name]}
      cautions={cautions[action] ?? []}
      schema={paymentDecision}
      values={{}}
      toInput={noFields}
    />
  )
}
