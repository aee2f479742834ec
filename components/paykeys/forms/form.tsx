'use client'

import type { ReactNode } from 'react'
import type { OpenedFormProps } from '@/components/kits/action/action-area'
import { ActionForm } from '@/components/kits/form/action-form'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { CheckResultList } from '@/components/kits/record/check-list'
import { type PaykeyCheckData, usePaykeyChecks } from '@/components/paykeys/record/check-list'
import { PendingPaymentsSum } from '@/components/paykeys/record/payments'
import { getAccountName } from '@/lib/client/page-context'
import type { CheckResult } from '@/lib/domain/check'
import {
  isApprovalCheckLoading,
  listPaykeyReasons,
  listPaykeyWarnings,
  type PaykeyDecision,
} from '@/lib/features/paykeys/decision'
import { decisionLabels, formatBankAccount, getLastFourDigits } from '@/lib/features/paykeys/labels'
import { formatExpectedEffects } from '@/lib/features/paykeys/related'
import { createUnblockChecks, wasUnblockedInPaydesk } from '@/lib/features/paykeys/rules'
import { type Paykey, paykeySchemas } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { decisionOperations } from './decision-choices'

type DecisionSentenceProps = {
  decision: PaykeyDecision
  paykey: Paykey
  customerName: string | undefined
  account: string | null
  although: string
}

const strongClasses = 'font-semibold text-ink'

function DecisionSentence({
  decision,
  paykey,
  customerName,
  account,
  although,
}: DecisionSentenceProps) {
  const context = usePageContext()
  return (
    <p>
      {decisionLabels[decision].verb}{' '}
      <strong className={strongClasses}>
        <ExternalText>{formatBankAccount(paykey)}</ExternalText>
      </strong>{' '}
      of{' '}
      <strong className={strongClasses}>
        <ExternalText>{customerName ?? 'an unknown customer'}</ExternalText>
      </strong>{' '}
      for <strong className={strongClasses}>{getAccountName(context, account)}</strong> in{' '}
      <strong className={strongClasses}>{context.environment.toUpperCase()}</strong>
      {although && <strong className={strongClasses}> {although}</strong>}.{' '}
      {decisionLabels[decision].follows}
    </p>
  )
}

type PaykeyFormProps = OpenedFormProps<PaykeyDecision> &
  PaykeyCheckData & {
    /** Null if the paykey belongs to the platform. */
    account: string | null
    snapshot: string | undefined
    correlationId: string
    customerName: string | undefined
    /** The paykey's pending payments; undefined if they could not be read. */
    waiting: readonly PaymentSummary[] | undefined
  }

const inputByDecision: Readonly<Record<PaykeyDecision, Record<string, unknown>>> = {
  approve: { status: 'active' },
  reject: { status: 'rejected' },
  unblock: {},
  cancel: {},
}

export function PaykeyForm(props: PaykeyFormProps) {
  const { answer, account, customerName, waiting, facts, actions, ...form } = props
  const paykey = answer.data
  const checks = usePaykeyChecks({ answer, actions, facts })
  const decision = form.name
  const operation = decisionOperations[decision]
  const lastFourDigits = getLastFourDigits(paykey)
  const { warnings, frame } = useActionForm({
    ...form,
    account,
    operation,
    id: paykey.id,
    reasons: listPaykeyReasons(decision, paykey),
    names: [customerName],
    warnings: listPaykeyWarnings(decision, checks),
    disabledReason:
      form.disabledReason ??
      (decision === 'approve' && isApprovalCheckLoading(checks)
        ? 'The checks are still loading.'
        : null),
    confirmation:
      decision === 'unblock' && lastFourDigits
        ? { label: 'Type the last four digits of the account', expected: lastFourDigits }
        : undefined,
    schema: paykeySchemas[operation].input,
    values: {},
    toInput: () => inputByDecision[decision],
  })
  return (
    <ActionForm
      {...frame}
      layout="panel"
      sentence={
        <div className="grid gap-2">
          <DecisionSentence
            {...{ decision, paykey, customerName, account }}
            although={warnings.although}
          />
          {decision === 'unblock' && (
            <UnblockOnceWarning
              checks={createUnblockChecks(
                paykey,
                wasUnblockedInPaydesk(actions),
                answer.meta.read_at ?? '',
              )}
            />
          )}
          <PendingPaymentsEffectText decision={decision} waiting={waiting} />
        </div>
      }
      send={`${decisionLabels[decision].verb} ${formatBankAccount(paykey)}`}
      danger={decision !== 'approve'}
    />
  )
}

const UnblockOnceWarning = ({ checks }: { checks: readonly CheckResult[] }): ReactNode => (
  <>
    <p className="font-semibold text-bad text-xl">A paykey can be unblocked only once.</p>
    <CheckResultList checks={checks} />
  </>
)

function PendingPaymentsEffectText({
  decision,
  waiting,
}: {
  decision: PaykeyDecision
  waiting: readonly PaymentSummary[] | undefined
}): ReactNode {
  if (waiting === undefined)
    return (
      <p className="text-held text-sm">
        The pending payments could not be read, so the effect on them is not known.
      </p>
    )
  if (waiting.length === 0) return <p className="text-sm">No pending payments.</p>
  return (
    <div className="grid gap-0.5 rounded-sm bg-sunken px-3 py-2 text-sm">
      <PendingPaymentsSum payments={waiting} total={waiting.length} />
      <p>Expected: {formatExpectedEffects(waiting, decision)}</p>
    </div>
  )
}
