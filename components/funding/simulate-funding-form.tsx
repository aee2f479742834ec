'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'
import { useClosed } from '@/components/kits/action/use-closed'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import { renewKey } from '@/components/kits/action/write-draft'
import { FieldGroup, SelectField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Field } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { Select } from '@/components/ui/select'
import { accountName } from '@/lib/client/desk'
import { newCorrelationId } from '@/lib/client/keys'
import { paymentOutcomes } from '@/lib/operations/enumerations'
import { fundingEventSchemas } from '@/lib/operations/funding-events.schema'
import { listPath, recordPath } from '@/lib/routes'

const operation = 'funding_events.simulate'

type Values = { funding_event_job_type: string; sandbox_outcome: string }

const jobs = { charges: 'Charges that were paid', payouts: 'Payouts that were sent' }
const waits: Readonly<Record<string, string>> = {
  charges: 'no charge that settled waits to be credited, or what came back cancels it out',
  payouts: 'no payout that was sent waits to be debited, or what came back cancels it out',
}
const outcomes = Object.fromEntries(
  paymentOutcomes.map((outcome) => [outcome, outcome === 'standard' ? 'standard: the usual course' : outcome.replaceAll('_', ' ')]),
)

/** Collects what waits for funding in an account into an event now. Another account is another form, with its own key. */
export function SimulateFundingForm() {
  const desk = useDesk()
  const [account, setAccount] = useState(desk.account)
  const [again, setAgain] = useState(0)
  const target = `new ${account ?? ''}`
  const startOver = () => {
    renewKey(operation, target)
    setAgain(again + 1)
  }
  return <Form key={`${target} ${again}`} account={account} onAccount={setAccount} target={target} onStartOver={startOver} />
}

type FormProps = { account: string | null; onAccount: (account: string | null) => void; target: string; onStartOver: () => void }

function Form({ account, onAccount, target, onStartOver }: FormProps) {
  const desk = useDesk()
  const router = useRouter()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [correlationId] = useState(newCorrelationId)
  const closed = useClosed({ ownerWhy: account === null ? 'Choose the account first.' : null })(operation, null)
  const { form, typed, send, pending, idempotencyKey } = useWriteForm<typeof operation, Values>({
    operation,
    target,
    account,
    correlationId,
    values: { funding_event_job_type: 'charges', sandbox_outcome: 'standard' },
    schema: fundingEventSchemas[operation].input,
    toInput: (values) => values,
    onOutcome: setOutcome,
    onDone: ({ data }) => router.push(recordPath(desk.environment, 'funding_events', data.id, { account })),
  })
  const name = account === null ? null : accountName(desk, account)
  const isRefused = (outcome?.action?.error ?? outcome?.error)?.code === 'service_refused'
  return (
    <FormPage
      title="Simulate funding"
      meta={`in ${desk.environment.toUpperCase()}`}
      outcome={outcome}
      onDismiss={() => setOutcome(null)}
      onSignedIn={() => setOutcome(null)}
      onStartOver={onStartOver}
      send={name === null ? 'Make the funding event' : `Fund the ${typed.funding_event_job_type} of ${name}`}
      pending={pending}
      closed={closed}
      idempotencyKey={idempotencyKey}
      onSend={() => void send()}
      onBack={() => router.push(listPath(desk.environment, 'funding_events', { account: desk.account }))}
    >
      <FieldGroup
        title="What is collected"
        note="Everything of the account that waits for funding now goes into one event: payments cannot be chosen. There is no undo; what was collected is not collected again."
      >
        <AccountField account={account} onAccount={onAccount} />
        <SelectField form={form} name="funding_event_job_type" label="Of which payments" choices={jobs} />
        <SelectField
          form={form}
          name="sandbox_outcome"
          label="How it ends"
          choices={outcomes}
          hint="The usual course settles on the transfer date; the others end within minutes."
        />
      </FieldGroup>
      {isRefused && name !== null && (
        <Notice tone="held" title="No event was made">
          <p>
            The usual reason: in <bdi>{name}</bdi> {waits[typed.funding_event_job_type]}. Charges count once they are paid, payouts once
            they are sent. The service’s own words stand below.
          </p>
        </Notice>
      )}
    </FormPage>
  )
}

function AccountField({ account, onAccount }: Pick<FormProps, 'account' | 'onAccount'>) {
  const { accounts } = useDesk()
  return (
    <Field label="Account" className="sm:col-span-2">
      {(control) => (
        <Select {...control} value={account ?? ''} onChange={(event) => onAccount(event.target.value || null)}>
          <option value="">Choose…</option>
          {accounts.map((choice) => (
            <option key={choice.id} value={choice.id}>
              {choice.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
