'use client'

import { useState } from 'react'
import { FieldGroup, SelectField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { useFormPage } from '@/components/kits/form/use-form-page'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Field } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { Select } from '@/components/ui/select'
import { accountName } from '@/lib/client/desk'
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
  return <Form key={account} account={account} onAccount={setAccount} />
}

type FormProps = { account: string | null; onAccount: (account: string | null) => void }

function Form({ account, onAccount }: FormProps) {
  const desk = useDesk()
  const { form, typed, outcome, page } = useFormPage<typeof operation, Values>({
    operation,
    target: `new ${account ?? ''}`,
    account,
    rule: account === null ? 'Choose the account first.' : null,
    values: { funding_event_job_type: 'charges', sandbox_outcome: 'standard' },
    schema: fundingEventSchemas[operation].input,
    toInput: (values) => values,
    back: listPath(desk.environment, 'funding_events', { account: desk.account }),
    done: (id) => recordPath(desk.environment, 'funding_events', id, { account }),
  })
  const name = account === null ? null : accountName(desk, account)
  const isRefused = (outcome?.action?.error ?? outcome?.error)?.code === 'service_refused'
  return (
    <FormPage
      {...page}
      title="Simulate funding"
      meta={`in ${desk.environment.toUpperCase()}`}
      send={name === null ? 'Make the funding event' : `Fund the ${typed.funding_event_job_type} of ${name}`}
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
