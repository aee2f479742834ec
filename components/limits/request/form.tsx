'use client'

import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Outcome } from '@/components/kits/action/outcome'
import {
  ReasonFields,
  type ReasonValues,
  useWarnings,
} from '@/components/kits/action/reason-fields'
import { ActionForm } from '@/components/kits/form/action-form'
import { TextAreaField, TextField } from '@/components/kits/form/fields'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { AccountScope } from '@/components/limits/limit-reads'
import { Notice } from '@/components/ui/notice'
import type { CallAnswer } from '@/lib/client/call'
import {
  formatLimitValue,
  type LimitedPaymentType,
  type LimitName,
  type LimitSet,
  limitNames,
  limitWords,
  paymentTypeNouns,
  toLimitSet,
} from '@/lib/domain/limit-labels'
import {
  emptyLimitFormValues,
  findFormFaults,
  findLimitChanges,
  type LimitChange,
  type LimitFormValues,
  parseLimitValues,
  toIncreaseText,
  toLimitInput,
  toLimitReason,
} from '@/lib/features/limits/change'
import { listLimitReasons } from '@/lib/features/limits/labels'
import type { LimitUsage } from '@/lib/features/limits/usage'
import type { AccountSettings } from '@/lib/operations/accounts.schema'
import { capabilityRequestSchemas } from '@/lib/operations/capability-requests.schema'
import { PassingPayments } from './would-pass'

function LimitsChangedNotice({
  base,
  now,
  asked,
}: {
  base: LimitSet
  now: LimitSet
  asked: LimitSet
}) {
  const changedNames = limitNames.filter((name) => base[name] !== now[name])
  if (changedNames.length === 0) return null
  return (
    <Notice tone="held" role="status" title="The limits changed while this form was open">
      <ul className="list-disc pl-4">
        {changedNames.map((name) => (
          <li key={name}>
            {limitWords[name].label}: was {formatLimitValue(name, base[name])}, is{' '}
            {formatLimitValue(name, now[name])} now
            {asked[name] !== undefined && `, yours ${formatLimitValue(name, asked[name])}`}
          </li>
        ))}
      </ul>
      <p>Your entries are kept and compared with the current limits.</p>
    </Notice>
  )
}

const ChangeTable = ({ changes }: { changes: readonly LimitChange[] }) => (
  <table className="w-full text-sm">
    <caption className="pb-1 text-left font-medium">Requested changes</caption>
    <thead className="text-ink-3 text-xs">
      <tr>
        <th scope="col" className="text-left font-medium">
          Limit
        </th>
        <th scope="col" className="pl-2 text-right font-medium">
          Now
        </th>
        <th scope="col" className="pl-2 text-right font-medium">
          Requested
        </th>
        <th scope="col" className="pl-3 text-left font-medium max-sm:hidden">
          Step
        </th>
      </tr>
    </thead>
    <tbody>
      {changes.map((change) => (
        <tr key={change.name} className="border-line border-t align-baseline">
          <th scope="row" className="py-1 text-left font-normal text-ink-2">
            {limitWords[change.name].label}
          </th>
          <td className="py-1 pl-2 text-right tabular-nums">
            {formatLimitValue(change.name, change.from)}
          </td>
          <td className="py-1 pl-2 text-right font-medium tabular-nums">
            {formatLimitValue(change.name, change.to)}
          </td>
          <td className="py-1 pl-3 text-ink-2 max-sm:hidden">{toIncreaseText(change)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

type LimitFormProps = {
  type: LimitedPaymentType
  scope: AccountScope
  name: string
  settings: CallAnswer<AccountSettings>
  usage: LimitUsage | null
  disabledReason: string | null
  correlationId: string
  onOutcome: (outcome: Outcome | null) => void
  onBack: () => void
}

export function LimitForm(props: LimitFormProps) {
  const { type, scope, name, settings, usage } = props
  const currentLimits = toLimitSet(settings.data[type])
  const [initialLimits] = useState(currentLimits)
  const { form, typed, frame, warnings } = useLimitForm(props, currentLimits)
  const changesAndFaults = findLimitChanges(currentLimits, parseLimitValues(typed))
  const isValid = Object.keys(changesAndFaults.faults).length === 0
  const reasonForm = form as unknown as UseFormReturn<ReasonValues>
  return (
    <ActionForm
      {...frame}
      layout="panel"
      label={`Request limit change for ${paymentTypeNouns[type].many}`}
      className="border-line border-t pt-3"
      sentence={<LimitRequestSentence type={type} name={name} />}
      send="Request limit change"
      warnings={warnings}
    >
      <LimitsChangedNotice
        base={initialLimits}
        now={currentLimits}
        asked={parseLimitValues(typed)}
      />
      <div className="grid items-start gap-3 @lg:grid-cols-2">
        {limitNames.map((limit) => (
          <LimitField
            key={limit}
            form={form}
            name={limit}
            current={currentLimits}
            live={changesAndFaults.faults[limit]}
          />
        ))}
      </div>
      {changesAndFaults.changes.length > 0 && isValid && (
        <>
          <ChangeTable changes={changesAndFaults.changes} />
          {usage && (
            <PassingPayments
              type={type}
              scope={scope}
              limits={{ ...currentLimits, ...parseLimitValues(typed) }}
              usage={usage}
            />
          )}
        </>
      )}
      <ReasonFields
        reasons={listLimitReasons(changesAndFaults.changes)}
        form={reasonForm}
        where="kept"
      />
      {changesAndFaults.jumps.length > 0 && (
        <TextAreaField
          form={form}
          name="jump"
          label="Reason for the large increase"
          rows={2}
          maxLength={240}
          hint={`More than three times as much: ${changesAndFaults.jumps.map((jump) => limitWords[jump.name].label.toLowerCase()).join(', ')}.`}
        />
      )}
    </ActionForm>
  )
}

function useLimitForm({ type, scope, name, settings, ...open }: LimitFormProps, current: LimitSet) {
  const countLargeIncreases = (values: LimitFormValues) =>
    findLimitChanges(current, parseLimitValues(values)).jumps.length
  const actionForm = useActionForm<'capability_requests.create', LimitFormValues>({
    ...open,
    operation: 'capability_requests.create',
    target: `${scope.account} ${type}`,
    account: scope.account,
    snapshot: settings.meta.snapshot,
    values: emptyLimitFormValues,
    schema: capabilityRequestSchemas['capability_requests.create'].input,
    toInput: (values) => toLimitInput(type, current, values),
    check: (values) => findFormFaults(current, values),
    ticks: () => warnings,
    reasonOf: (values) => toLimitReason(values, countLargeIncreases(values)),
    // The service's errors name a limit with its payment type (`charges.max_amount`); our fields
    // have no prefix. `text` holds the reason.
    fieldOf: (reference) => (reference === 'reason' ? 'text' : reference.replace(`${type}.`, '')),
  })
  const warnings = useWarnings(`${actionForm.typed.text} ${actionForm.typed.jump}`, [name], [])
  return { ...actionForm, warnings }
}

/** Names the account, because the account selected in the header may be another one. */
function LimitRequestSentence({ type, name }: { type: LimitedPaymentType; name: string }) {
  const { environment } = usePageContext()
  const strongClasses = 'font-semibold text-ink'
  return (
    <p>
      Ask the provider’s compliance team to change the limits on{' '}
      <strong className={strongClasses}>{paymentTypeNouns[type].many}</strong> for{' '}
      <strong className={strongClasses}>
        <ExternalText>{name}</ExternalText>
      </strong>{' '}
      in <strong className={strongClasses}>{environment.toUpperCase()}</strong>.{' '}
      <span className="text-ink-3">
        The team usually decides within two to three business days. Nothing changes until then.
      </span>
    </p>
  )
}

type LimitFieldProps = {
  form: UseFormReturn<LimitFormValues>
  name: LimitName
  current: LimitSet
  live: string | undefined
}

/** `live` is the error of the typed value, shown before the form is sent. */
function LimitField({ form, name, current, live }: LimitFieldProps) {
  const hasError = form.formState.errors[name] !== undefined
  return (
    <TextField
      form={form}
      name={name}
      label={limitWords[name].label}
      inputMode={limitWords[name].counts ? 'numeric' : 'decimal'}
      placeholder={formatLimitValue(name, current[name])}
      hint={
        <>
          now {formatLimitValue(name, current[name])}; leave blank to keep
          {live && !hasError && <span className="block font-medium text-bad">{live}</span>}
        </>
      }
    />
  )
}
