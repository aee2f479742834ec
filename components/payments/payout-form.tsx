'use client'

import type { OpenForm } from '@/components/kits/action/action-area'
import { ConfirmForm } from '@/components/kits/action/confirm-form'
import { useDesk } from '@/components/kits/layout/desk-context'
import { type Decision, decisionReasons } from '@/lib/domain/decision-reasons'
import { type Payout, payoutSchemas } from '@/lib/operations/payouts.schema'
import { DecisionSentence } from './decision-sentence'
import { sendLabel } from './decision-words'

type PayoutFormProps = OpenForm & {
  payout: Payout
  account: string
  snapshot: string | undefined
  correlationId: string
  cautions: readonly string[]
}

const noFields = () => ({})

/** The confirm sheet of a release, hold or cancellation. */
export function PayoutForm({ payout, cautions, ...form }: PayoutFormProps) {
  const desk = useDesk()
  const decision = form.operation.slice('payouts.'.length) as Decision
  const operation = `payouts.${decision}` as const
  return (
    <ConfirmForm
      {...form}
      operation={operation}
      id={payout.id}
      sentence={<DecisionSentence decision={decision} payout={payout} account={form.account} />}
      send={sendLabel(decision, payout, desk.amountUnit)}
      danger={decision === 'cancel'}
      reasons={decisionReasons[decision]}
      names={[payout.customer_details?.name]}
      cautions={decision === 'release' ? cautions.map((caution) => `${caution} Send it all the same.`) : []}
      schema={payoutSchemas[operation].input}
      values={{}}
      toInput={noFields}
    />
  )
}
