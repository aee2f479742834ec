'use client'

import { useState } from 'react'
import { AccountChoicesStatus, useAccountChoices } from '@/components/kits/form/account-choices'
import { ActionForm } from '@/components/kits/form/action-form'
import { FieldGroup, SelectField } from '@/components/kits/form/fields'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Field, Select } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { getAccountName } from '@/lib/client/page-context'
import { paymentSandboxOutcomes } from '@/lib/operations/enumerations'
import { fundingEventSchemas } from '@/lib/operations/funding-events.schema'
import { listPath, recordPath } from '@/lib/routes'

const operation = 'funding_events.simulate'

type SimulateFundingValues = { funding_event_job_type: string; sandbox_outcome: string }

const jobTypeLabels = { charges: 'Paid charges', payouts: 'Sent payouts' }
const noEventReasons: Readonly<Record<string, string>> = {
  charges: 'no settled charge is left to credit, or returns offset the charges',
  payouts: 'no sent payout is left to debit, or returns offset the payouts',
}
const outcomeLabels = Object.fromEntries(
  paymentSandboxOutcomes.map((outcome) => [
    outcome,
    outcome === 'standard' ? 'standard: settles as usual' : outcome.replaceAll('_', ' '),
  ]),
)

/** For another account, React mounts a new form with its own idempotency key. */
export function SimulateFundingForm() {
  const context = usePageContext()
  const [account, setAccount] = useState(context.account)
  return <SimulateFundingFields key={account} account={account} onAccount={setAccount} />
}

type SimulateFundingFieldsProps = {
  account: string | null
  onAccount: (account: string | null) => void
}

function SimulateFundingFields({ account, onAccount }: SimulateFundingFieldsProps) {
  const context = usePageContext()
  const choices = useAccountChoices()
  const { form, typed, outcome, frame } = useActionForm<typeof operation, SimulateFundingValues>({
    operation,
    target: `new ${account ?? ''}`,
    account,
    disabledReason: account === null ? 'Choose the account first.' : null,
    values: { funding_event_job_type: 'charges', sandbox_outcome: 'standard' },
    schema: fundingEventSchemas[operation].input,
    toInput: (values) => values,
    back: listPath(context, 'funding_events'),
    done: (id) => recordPath(context, 'funding_events', id, { account }),
  })
  // The page context may not contain the chosen account, so its name comes from the choices.
  const accountName =
    account === null ? null : getAccountName({ ...context, accounts: choices.accounts }, account)
  const isRefusedByService = (outcome?.action?.error ?? outcome?.error)?.code === 'service_refused'
  return (
    <ActionForm
      {...frame}
      layout="page"
      title="Simulate funding"
      meta={`in ${context.environment.toUpperCase()}`}
      send={
        accountName === null
          ? 'Create funding event'
          : `Simulate funding of the ${typed.funding_event_job_type} of ${accountName}`
      }
    >
      <FieldGroup
        title="Scope"
        note="All payments of the chosen account and kind that await funding go into one funding event. You cannot choose single payments. This cannot be undone."
      >
        <AccountField account={account} choices={choices} onAccount={onAccount} />
        <SelectField
          form={form}
          name="funding_event_job_type"
          label="Kind of payment"
          choices={jobTypeLabels}
        />
        <SelectField
          form={form}
          name="sandbox_outcome"
          label="Outcome"
          choices={outcomeLabels}
          hint="The standard outcome settles on the transfer date. The other outcomes end within minutes."
        />
      </FieldGroup>
      {isRefusedByService && accountName !== null && (
        <Notice tone="held" title="No event created">
          <p>
            Usual reason: in <ExternalText>{accountName}</ExternalText>{' '}
            {noEventReasons[typed.funding_event_job_type]}. Charges count once paid, payouts once
            sent. The service’s message is shown below.
          </p>
        </Notice>
      )}
    </ActionForm>
  )
}

type AccountFieldProps = SimulateFundingFieldsProps & {
  choices: ReturnType<typeof useAccountChoices>
}

function AccountField({ account, choices, onAccount }: AccountFieldProps) {
  return (
    <div className="grid gap-1 sm:col-span-2">
      <Field label="Account">
        {(control) => (
          <Select
            {...control}
            value={account ?? ''}
            onChange={(event) => onAccount(event.target.value || null)}
          >
            <option value="">Choose…</option>
            {choices.accounts.map((choice) => (
              <option key={choice.id} value={choice.id}>
                {choice.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <AccountChoicesStatus choices={choices} />
    </div>
  )
}
