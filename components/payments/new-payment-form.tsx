'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Outcome } from '@/components/kits/action/outcome'
import type { ReasonValues } from '@/components/kits/action/reason-fields'
import { useClosed } from '@/components/kits/action/use-closed'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import { useWarnings } from '@/components/kits/action/warning-ticks'
import { renewKey } from '@/components/kits/action/write-draft'
import { FormPage } from '@/components/kits/form/form-page'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { accountName } from '@/lib/client/desk'
import { newCorrelationId } from '@/lib/client/keys'
import { bankDay } from '@/lib/dates'
import type { Check } from '@/lib/domain/fact'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { whyNotPayable } from '@/lib/domain/payment-party-checks'
import { type PlanFacts, planCautions, planChecks } from '@/lib/domain/payment-plan'
import { newPaymentReasons } from '@/lib/domain/payment-reasons'
import { centsOf, formatMinor } from '@/lib/money'
import { newCharge, newPayout } from '@/lib/operations/payment-input.schema'
import { listPath, recordPath } from '@/lib/routes'
import { NewPaymentFields } from './new-payment-fields'
import { emptyPayment, type NewPaymentValues, newPaymentFaults, newPaymentField, newPaymentInput } from './new-payment-values'
import { paymentNouns } from './payment-nouns'
import { paymentOperations } from './payment-operations'
import { PaymentPlanView } from './payment-plan-view'
import { usePlanFacts } from './use-plan-facts'

type NewPaymentFormProps = { kind: PaymentKind; account: string; paykey: string | null }

/** Makes a charge or a payout in two steps: the fields, then the whole of it in a sentence with the button that sends. */
export function NewPaymentForm(props: NewPaymentFormProps) {
  const [again, setAgain] = useState(0)
  const target = `new/${props.account}/${props.paykey ?? ''}`
  const startOver = () => {
    renewKey(paymentOperations[props.kind].create, target)
    setAgain(again + 1)
  }
  return <Form key={again} {...props} target={target} onStartOver={startOver} />
}

type FormProps = NewPaymentFormProps & { target: string; onStartOver: () => void }

function Form(props: FormProps) {
  const { kind, account, onStartOver } = props
  const desk = useDesk()
  const router = useRouter()
  const { resource, one, verb } = paymentNouns[kind]
  const work = useNewPayment(props, (id) => router.push(recordPath(desk.environment, resource, id, { account })))
  const { form, typed, plan, facts, confirming } = work
  const cents = plan.cents === null ? '' : ` ${formatMinor(plan.cents)}`
  const warnings = work.warnings
  return (
    <FormPage
      title={`New ${one}`}
      meta={`for ${accountName(desk, account)} in ${desk.environment.toUpperCase()}`}
      outcome={work.outcome}
      onDismiss={work.dismiss}
      onSignedIn={work.dismiss}
      onStartOver={onStartOver}
      send={confirming ? `${verb}${cents}` : `Review the ${one}…`}
      does={confirming ? 'sends' : 'goes on'}
      pending={work.pending}
      closed={work.closed}
      making={work.making}
      reason={confirming ? null : work.reason}
      onSend={() => void (confirming ? work.send() : work.review())}
      onBack={confirming ? work.edit : () => router.push(listPath(desk.environment, resource, { account: desk.account }))}
    >
      {confirming ? (
        <PaymentPlanView
          plan={plan}
          description={typed.description}
          reason={typed.text}
          facts={facts}
          checks={work.checks}
          account={account}
          warnings={warnings}
        />
      ) : (
        <NewPaymentFields kind={kind} account={account} form={form} typed={typed} facts={facts} />
      )}
    </FormPage>
  )
}

/** Fields, facts, checks and sending of a new payment; `onMade` is told the id of what was made. */
function useNewPayment({ kind, account, paykey, target }: FormProps, onMade: (id: string) => void) {
  const desk = useDesk()
  const operation = paymentOperations[kind].create
  const today = bankDay(useNow())
  const inSandbox = desk.environment === 'sandbox'
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [asked, setAsked] = useState(false)
  const [correlationId] = useState(newCorrelationId)
  const [empty] = useState(() => emptyPayment(kind, paykey, today, newCorrelationId().replaceAll('-', '')))
  const { form, typed, send, pending, making } = useWriteForm<typeof operation, NewPaymentValues>({
    operation,
    target,
    account,
    correlationId,
    values: empty,
    schema: kind === 'charge' ? newCharge : newPayout,
    toInput: (values) => newPaymentInput(kind, values, inSandbox),
    check: (values) => ({ ...newPaymentFaults(kind, values, today), ...unusable(facts) }),
    ready: () => warnings.allTicked(),
    reasons: newPaymentReasons[kind],
    fieldOf: newPaymentField,
    onOutcome: setOutcome,
    onDone: (answer) => onMade(answer.data.id),
  })
  const facts = usePlanFacts({ kind, account, paykey: typed.paykey_id, payment_date: typed.payment_date })
  const plan = { ...typed, kind, cents: centsOf(typed.amount) }
  const checks = planChecks(plan, facts)
  const message = typed.auto_hold ? typed.auto_hold_message : ''
  const warnings = useWarnings(`${message} ${typed.text}`, [nameIn(facts)], planCautions(checks))
  // A fault that the service found stands at its field, so the fields are what is shown.
  const confirming = asked && Object.keys(form.formState.errors).length === 0
  const rule = outcome?.action?.state === 'applied' ? 'It is created; its page opens.' : confirming ? whyNotYet(checks) : null
  return {
    ...{ form, typed, send, pending, making, outcome, facts, plan, checks, warnings },
    confirming,
    // Its warnings are ticked where the rest is, beside the button that sends.
    reason: { reasons: newPaymentReasons[kind], form: form as unknown as UseFormReturn<ReasonValues>, warnings: null },
    closed: useClosed({})(operation, rule),
    review: form.handleSubmit(() => setAsked(true)),
    edit: () => setAsked(false),
    dismiss: () => setOutcome(null),
  }
}

/** What a check is about to find may have to be ticked, so nothing is sent before it is there; one that fails is unknown and closes nothing. */
const whyNotYet = (checks: readonly Check[]) =>
  checks.some(({ result }) => result === 'loading') ? 'The checks are still being read.' : null

/** A bank account that a link named may be one that the search would not have let anybody choose. */
function unusable({ paykey, now }: PlanFacts): { paykey_id?: string } {
  const why = paykey.state === 'known' ? whyNotPayable(paykey.value, now) : null
  return why === null ? {} : { paykey_id: why }
}

const nameIn = ({ customer }: PlanFacts) => (customer.state === 'known' ? customer.value.name : undefined)
