'use client'

import type { UseFormReturn } from 'react-hook-form'
import type { OpenForm } from '@/components/kits/action/action-area'
import { ConfirmForm } from '@/components/kits/action/confirm-form'
import type { ReasonValues } from '@/components/kits/action/reason-fields'
import { SelectField, setField, TextField } from '@/components/kits/form/fields'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import type { OnboardingCheck } from '@/lib/domain/onboarding-checks'
import { type Account, accountSchemas } from '@/lib/operations/accounts.schema'

type OnboardFormProps = OpenForm & {
  account: Account
  checks: readonly OnboardingCheck[]
  snapshot: string | undefined
  correlationId: string
}

/** As the fields hold them: the time as the person's own clock writes it, empty texts where nothing is known. */
type Values = {
  terms_of_service: {
    accepted_date: string
    agreement_url: string
    agreement_type: string
    accepted_ip: string
    accepted_user_agent: string
  }
}

/** `2026-03-31T14:05` on the person's own clock; the field shows no zone, so the hint names it. */
function localMinute(time: number): string {
  const shifted = new Date(time - new Date(time).getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** What is typed as the service wants it; a time that cannot be read stays as it is, so that the schema says what to do. */
function toInput({ terms_of_service: terms }: Values): Record<string, unknown> {
  const time = new Date(terms.accepted_date)
  return {
    terms_of_service: {
      accepted_date: Number.isNaN(time.getTime()) ? terms.accepted_date : time.toISOString(),
      agreement_url: terms.agreement_url.trim(),
      agreement_type: terms.agreement_type,
      accepted_ip: terms.accepted_ip.trim() || undefined,
      accepted_user_agent: terms.accepted_user_agent.trim() || undefined,
    },
  }
}

const empty: Values = {
  terms_of_service: { accepted_date: '', agreement_url: '', agreement_type: 'embedded', accepted_ip: '', accepted_user_agent: '' },
}

/** The confirm sheet that hands an account to verification, with the terms it accepted. */
export function OnboardForm({ account, checks, ...form }: OnboardFormProps) {
  const desk = useDesk()
  const name = account.business_profile?.name ?? account.id
  const cautions = checks
    .filter((check) => check.result === 'warn')
    .map((check) => `${check.label}: ${check.sentence} Hand it over all the same.`)
  return (
    <ConfirmForm
      {...form}
      operation="accounts.onboard"
      id={account.id}
      account={null}
      sentence={
        <p>
          Hand <strong className="font-semibold text-ink">{name}</strong> to verification in{' '}
          <strong className="font-semibold text-ink">{desk.environment.toUpperCase()}</strong>, under the terms it accepted.{' '}
          <span className="text-ink-3">
            Its representatives and linked bank accounts go with it; until the service has decided they can hardly be changed.
          </span>
        </p>
      }
      send={`Hand ${name} to verification`}
      cautions={cautions}
      schema={accountSchemas['accounts.onboard'].input}
      values={empty}
      toInput={toInput}
    >
      {(fields) => <TermsFields form={fields} />}
    </ConfirmForm>
  )
}

const kinds = { embedded: 'Embedded: through the platform', direct: 'Direct: with the service itself' }

function TermsFields({ form }: { form: UseFormReturn<Values & ReasonValues> }) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <div className="grid gap-1">
        <TextField
          form={form}
          name="terms_of_service.accepted_date"
          label="Accepted on"
          type="datetime-local"
          hint={`When the business accepted the terms, on your clock (${zone}).`}
        />
        <Button
          size="small"
          variant="quiet"
          className="justify-self-start"
          onClick={() => setField(form, 'terms_of_service.accepted_date', localMinute(Date.now()))}
        >
          It was just now
        </Button>
      </div>
      <TextField
        form={form}
        name="terms_of_service.agreement_url"
        label="Address of the agreement"
        type="url"
        inputMode="url"
        placeholder="https://"
        spellCheck={false}
      />
      <SelectField form={form} name="terms_of_service.agreement_type" label="How it was accepted" choices={kinds} />
      <TextField
        form={form}
        name="terms_of_service.accepted_ip"
        label="From IP address, if known"
        hint="Goes to the service; Paydesk shows it nowhere again."
        spellCheck={false}
      />
      <TextField
        form={form}
        name="terms_of_service.accepted_user_agent"
        label="With browser, if known"
        className="sm:col-span-2"
        maxLength={500}
        spellCheck={false}
      />
    </div>
  )
}
