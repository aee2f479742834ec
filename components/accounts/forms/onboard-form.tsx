'use client'

import type { UseFormReturn } from 'react-hook-form'
import type { OpenedFormProps } from '@/components/kits/action/action-area'
import { ActionForm } from '@/components/kits/form/action-form'
import {
  NormalizedField,
  SelectField,
  setFieldValue,
  TextField,
} from '@/components/kits/form/fields'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import { toWebAddress } from '@/lib/domain/typed-values'
import type { OnboardingCheck } from '@/lib/features/accounts/onboarding-checks'
import { getLocalTimeZone } from '@/lib/formats'
import { type Account, accountSchemas } from '@/lib/operations/accounts.schema'

type OnboardFormProps = OpenedFormProps & {
  account: Account
  checks: readonly OnboardingCheck[]
  snapshot: string | undefined
  correlationId: string
}

/** `accepted_date` is a time in the browser's time zone. */
type OnboardValues = {
  terms_of_service: {
    accepted_date: string
    agreement_url: string
    agreement_type: string
    accepted_ip: string
    accepted_user_agent: string
  }
}

/** Converts epoch milliseconds to local time for a `datetime-local` field: `2026-03-31T14:05`. */
function toDateTimeInputText(time: number): string {
  const timeShiftedToLocal = new Date(time - new Date(time).getTimezoneOffset() * 60_000)
  return timeShiftedToLocal.toISOString().slice(0, 16)
}

/** Keeps a date that cannot be parsed, so that the schema reports it. */
function toOnboardInput({ terms_of_service: terms }: OnboardValues): Record<string, unknown> {
  const acceptedTime = new Date(terms.accepted_date)
  return {
    terms_of_service: {
      accepted_date: Number.isNaN(acceptedTime.getTime())
        ? terms.accepted_date
        : acceptedTime.toISOString(),
      agreement_url: toWebAddress(terms.agreement_url),
      agreement_type: terms.agreement_type,
      accepted_ip: terms.accepted_ip.trim() || undefined,
      accepted_user_agent: terms.accepted_user_agent.trim() || undefined,
    },
  }
}

const emptyValues: OnboardValues = {
  terms_of_service: {
    accepted_date: '',
    agreement_url: '',
    agreement_type: 'embedded',
    accepted_ip: '',
    accepted_user_agent: '',
  },
}

export function OnboardForm({ account, checks, ...open }: OnboardFormProps) {
  const context = usePageContext()
  const accountName = account.business_profile?.name ?? account.id
  const profileWarnings = checks.some(({ id, result }) => id === 'profile' && result === 'warn')
    ? [{ code: 'onboard_profile' } as const]
    : []
  const { form, frame } = useActionForm<'accounts.onboard', OnboardValues>({
    ...open,
    operation: 'accounts.onboard',
    id: account.id,
    account: null,
    warnings: profileWarnings,
    schema: accountSchemas['accounts.onboard'].input,
    values: emptyValues,
    toInput: toOnboardInput,
  })
  return (
    <ActionForm
      {...frame}
      layout="panel"
      sentence={
        <p>
          Submit <strong className="font-semibold text-ink">{accountName}</strong> for verification
          in <strong className="font-semibold text-ink">{context.environment.toUpperCase()}</strong>
          , under the accepted terms.{' '}
          <span className="text-ink-3">
            The representatives and linked bank accounts are submitted too. Most details cannot be
            changed until the service decides.
          </span>
        </p>
      }
      send={`Submit ${accountName} for verification`}
    >
      <TermsFields form={form} />
    </ActionForm>
  )
}

const agreementTypeLabels = {
  embedded: 'Embedded: through the platform',
  direct: 'Direct: with the service',
}

function TermsFields({ form }: { form: UseFormReturn<OnboardValues> }) {
  const zone = getLocalTimeZone()
  return (
    <div className="grid items-start gap-3 @lg:grid-cols-2">
      <div className="grid gap-1">
        <TextField
          form={form}
          name="terms_of_service.accepted_date"
          label="Accepted on"
          type="datetime-local"
          hint={`When the business accepted the terms, in your time zone (${zone}).`}
        />
        <Button
          size="small"
          variant="quiet"
          className="justify-self-start"
          onClick={() =>
            setFieldValue(form, 'terms_of_service.accepted_date', toDateTimeInputText(Date.now()))
          }
        >
          Use current time
        </Button>
      </div>
      <NormalizedField
        form={form}
        name="terms_of_service.agreement_url"
        normalize={toWebAddress}
        label="URL of the agreement"
        type="url"
        inputMode="url"
        placeholder="https://"
        spellCheck={false}
      />
      <SelectField
        form={form}
        name="terms_of_service.agreement_type"
        label="Acceptance"
        choices={agreementTypeLabels}
      />
      <TextField
        form={form}
        name="terms_of_service.accepted_ip"
        label="IP address, if known"
        hint="Sent to the service. Paydesk does not show the address again."
        spellCheck={false}
      />
      <TextField
        form={form}
        name="terms_of_service.accepted_user_agent"
        label="Browser (user agent), if known"
        className="sm:col-span-2"
        maxLength={500}
        spellCheck={false}
      />
    </div>
  )
}
