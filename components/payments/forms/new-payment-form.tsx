'use client'

import { useState } from 'react'
import {
  useWarnings,
  WarningCheckboxes,
  type WarningsState,
} from '@/components/kits/action/reason-fields'
import { ActionForm } from '@/components/kits/form/action-form'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { useNow } from '@/components/kits/layout/browser-state'
import { focusOnMount } from '@/components/kits/layout/focus'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { CheckResultList } from '@/components/kits/record/check-list'
import { useRelatedRead } from '@/components/kits/record/side-reads'
import { paymentOperations } from '@/components/payments/operations'
import { useMonthlyTotal } from '@/components/payments/record/use-facts'
import { createCorrelationId } from '@/lib/client/drafts'
import { getAccountName, getLimitAccount } from '@/lib/client/page-context'
import { getTimestampDaysBefore, toNewYorkDate } from '@/lib/dates'
import type { CheckResult } from '@/lib/domain/check'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { listPlanWarnings, newPaymentReasons } from '@/lib/features/payments/form'
import { paymentNouns } from '@/lib/features/payments/labels'
import { whyPaykeyNotPayable } from '@/lib/features/payments/party-checks'
import {
  createPlanChecks,
  formatPaymentPlan,
  type PaymentPlan,
  type PaymentPlanFacts,
} from '@/lib/features/payments/plan'
import { moneyText, parseCents } from '@/lib/money'
import { newCharge, newPayout } from '@/lib/operations/payment-input.schema'
import { listPath, recordPath } from '@/lib/routes'
import { PaymentPartiesText } from './form-parts'
import {
  createEmptyPaymentValues,
  findNewPaymentFaults,
  NewPaymentFields,
  type NewPaymentValues,
  toNewPaymentFieldName,
  toNewPaymentInput,
} from './new-payment-fields'

type PlannedPayment = {
  kind: PaymentKind
  account: string | null
  paykey: string
  payment_date: string
}

const noPaykeyReason = 'Choose a bank account first.'

/**
 * Reads the data for the checks of a planned payment. Each read starts when the person has entered
 * what it needs.
 */
function usePaymentPlanFacts({
  kind,
  account,
  paykey: paykeyId,
  payment_date,
}: PlannedPayment): PaymentPlanFacts {
  const context = usePageContext()
  const accountContext = { ...context, account }
  const now = useNow()
  const [oneWeekAgo] = useState(() => getTimestampDaysBefore(Date.now(), 7))
  const hasPaykey = paykeyId !== ''
  const paykeyRead = useRelatedRead(
    accountContext,
    'paykeys.get',
    hasPaykey ? { id: paykeyId } : undefined,
    noPaykeyReason,
  )
  const customerId = paykeyRead.data?.customer_id
  const noCustomerReason = paykeyRead.data ? 'The bank account has no customer.' : noPaykeyReason
  const customerRead = useRelatedRead(
    accountContext,
    'customers.get',
    customerId ? { id: customerId } : undefined,
    noCustomerReason,
  )
  const limitAccount = getLimitAccount(context, account)
  const accountRead = useRelatedRead(
    accountContext,
    'accounts.get',
    limitAccount === null ? undefined : { id: limitAccount.replace(/^acct_/, '') },
    'The account is not known yet.',
  )
  const lastWeekFilter = { paykey_id: paykeyId, payment_type: kind, min_created_at: oneWeekAgo }
  const recentPaymentsRead = useRelatedRead(
    accountContext,
    'payments.search',
    hasPaykey ? lastWeekFilter : undefined,
    noPaykeyReason,
  )
  const monthlyTotal = useMonthlyTotal(
    kind,
    { id: null, payment_date: payment_date || undefined },
    account,
    undefined,
  )
  return {
    now,
    unit: context.amountUnit,
    paykey: paykeyRead,
    customer: customerRead,
    account: accountRead,
    spent: monthlyTotal,
    recent: recentPaymentsRead,
  }
}

type PaymentPlanViewProps = {
  plan: PaymentPlan
  description: string
  reason: string
  facts: PaymentPlanFacts
  checks: readonly CheckResult[]
  account: string | null
  warnings: WarningsState
}

function PaymentPlanView({
  plan,
  description,
  reason,
  facts,
  checks,
  account,
  warnings,
}: PaymentPlanViewProps) {
  const { verb, way } = paymentNouns[plan.kind]
  const customerName = facts.customer.data?.name
  const bankLabel = facts.paykey.data?.label
  return (
    // The section takes the focus, because the focused field of the first step has been removed.
    <section
      ref={focusOnMount}
      tabIndex={-1}
      aria-label="What will be sent"
      className="grid gap-3 rounded border border-line bg-surface p-3"
    >
      <div className="text-base text-ink-2">
        <p>
          {verb}{' '}
          <strong className="font-semibold text-ink">
            {plan.cents === null ? 'an unclear amount' : moneyText(plan.cents)}
          </strong>{' '}
          <PaymentPartiesText
            way={way}
            customer={customerName}
            bank={bankLabel}
            account={account}
          />
          , on the statement as “
          <ExternalText className="text-ink">{description.trim()}</ExternalText>”.{' '}
          <span className="text-ink-3">{formatPaymentPlan(plan, facts.now)}</span>
        </p>
        <p className="mt-1 text-sm">
          Reason: <ExternalText className="text-ink">{reason.trim()}</ExternalText>
        </p>
      </div>
      <CheckResultList checks={checks} />
      <WarningCheckboxes warnings={warnings} />
    </section>
  )
}

type NewPaymentFormProps = { kind: PaymentKind; account: string | null; paykey: string | null }

/** In two steps: first the fields, then a summary with the submit button. */
export function NewPaymentForm(props: NewPaymentFormProps) {
  const { kind, account } = props
  const context = usePageContext()
  const { one, verb } = paymentNouns[kind]
  const { form, typed, plan, facts, checks, warnings, confirming, frame } = useNewPaymentForm(props)
  const amountText = plan.cents === null ? 'an unclear amount' : moneyText(plan.cents)
  const sendText = frame.requestLabel
    ? `${frame.requestLabel} of ${amountText}`
    : `${verb} ${amountText}`
  return (
    <ActionForm
      {...frame}
      layout="page"
      title={`New ${one}`}
      meta={`for ${getAccountName(context, account)} in ${context.environment.toUpperCase()}`}
      requestLabel={null}
      send={confirming ? sendText : `Review the ${one}…`}
      does={confirming ? 'sends' : 'continues'}
    >
      {confirming ? (
        <PaymentPlanView
          {...{ plan, facts, checks, account, warnings }}
          description={typed.description}
          reason={typed.text}
        />
      ) : (
        <NewPaymentFields kind={kind} account={account} form={form} typed={typed} facts={facts} />
      )}
    </ActionForm>
  )
}

function useNewPaymentForm({ kind, account, paykey }: NewPaymentFormProps) {
  const context = usePageContext()
  const { resource } = paymentNouns[kind]
  const operation = paymentOperations[kind].create
  const today = toNewYorkDate(useNow())
  const isSandbox = context.environment === 'sandbox'
  const [isReviewRequested, setIsReviewRequested] = useState(false)
  const [initialValues] = useState(() =>
    createEmptyPaymentValues(kind, paykey, today, createCorrelationId().replaceAll('-', '')),
  )
  const { form, typed, outcome, frame } = useActionForm<typeof operation, NewPaymentValues>({
    operation,
    target: `new/${account}/${paykey ?? ''}`,
    account,
    values: initialValues,
    schema: kind === 'charge' ? newCharge : newPayout,
    toInput: (values) => toNewPaymentInput(kind, values, isSandbox),
    payment: ({ amount, paykey_id }) => ({ cents: parseCents(amount), paykey: paykey_id }),
    check: (values) => ({
      ...findNewPaymentFaults(kind, values, today),
      ...findPaykeyFault(facts),
    }),
    ticks: () => warnings,
    reasons: newPaymentReasons[kind],
    fieldOf: toNewPaymentFieldName,
    back: listPath(context, resource),
    done: (id) => recordPath(context, resource, id, { account }),
  })
  const facts = usePaymentPlanFacts({
    kind,
    account,
    paykey: typed.paykey_id,
    payment_date: typed.payment_date,
  })
  const plan = { ...typed, kind, cents: parseCents(typed.amount) }
  const checks = createPlanChecks(plan, facts)
  const holdMessage = typed.auto_hold ? typed.auto_hold_message : ''
  const warnings = useWarnings(
    `${holdMessage} ${typed.text}`,
    [getCustomerName(facts)],
    listPlanWarnings(checks),
  )
  // If a field has an error, the form shows its fields again, because the summary shows no errors
  // of fields.
  const isConfirming = isReviewRequested && Object.keys(form.formState.errors).length === 0
  const notReadyReason =
    outcome?.action?.state === 'applied'
      ? 'Created. Opening its page…'
      : isConfirming
        ? findChecksLoadingReason(checks)
        : null
  const requestReview = form.handleSubmit(() => setIsReviewRequested(true))
  const currentStepProps = isConfirming
    ? // No reason field: the summary already shows the typed reason.
      { reason: null, onBack: () => setIsReviewRequested(false) }
    : { onSend: () => void requestReview() }
  return {
    ...{ form, typed, facts, plan, checks, warnings, confirming: isConfirming },
    frame: {
      ...frame,
      warnings: null,
      disabledReason: frame.disabledReason ?? notReadyReason,
      ...currentStepProps,
    },
  }
}

/**
 * Returns why the payment cannot be sent yet, or null. A loading check may still add a warning. A
 * failed read does not block.
 */
const findChecksLoadingReason = (checks: readonly CheckResult[]) =>
  checks.some(({ result }) => result === 'loading') ? 'The checks are still loading.' : null

/** The picker disables unusable bank accounts, but a link can preselect one. */
function findPaykeyFault({ paykey, now }: PaymentPlanFacts): { paykey_id?: string } {
  const notPayableReason = paykey.data ? whyPaykeyNotPayable(paykey.data, now) : null
  return notPayableReason === null ? {} : { paykey_id: notPayableReason }
}

const getCustomerName = ({ customer }: PaymentPlanFacts) => customer.data?.name
