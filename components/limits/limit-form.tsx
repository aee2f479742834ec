'use client'

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { SheetFoot } from '@/components/kits/action/confirm-form'
import type { Outcome } from '@/components/kits/action/outcome'
import { ReasonFields, type ReasonValues } from '@/components/kits/action/reason-fields'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import { useWarnings, WarningTicks } from '@/components/kits/action/warning-ticks'
import { AreaField, TextField } from '@/components/kits/form/fields'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { CallAnswer } from '@/lib/client/request'
import { limitFindings } from '@/lib/domain/limit-change'
import { emptyLimitValues, type LimitValues, limitFaults, limitInput, limitReason, wishedOf } from '@/lib/domain/limit-form'
import { limitReasons } from '@/lib/domain/limit-reasons'
import type { LimitUsage } from '@/lib/domain/limit-usage'
import { type LimitName, type LimitSet, type LimitType, limitSetOf, limitText, limitWords, typeWords } from '@/lib/domain/limit-words'
import type { AccountSettings } from '@/lib/operations/account-settings.schema'
import { capabilityRequestSchemas } from '@/lib/operations/capability-requests.schema'
import { limitNames } from '@/lib/operations/enumerations'
import { ChangeTable } from './change-table'
import type { AccountScope } from './limit-reads'
import { LimitsMoved } from './limits-moved'
import { WouldPass } from './would-pass'

type LimitFormProps = {
  type: LimitType
  scope: AccountScope
  name: string
  settings: CallAnswer<AccountSettings>
  usage: LimitUsage | null
  closed: string | null
  correlationId: string
  onOutcome: (outcome: Outcome | null) => void
  onBack: () => void
}

/** The request for other limits: each beside the one in force, what it comes to in words, why, and what it would have let through. */
export function LimitForm(props: LimitFormProps) {
  const { type, scope, name, settings, usage, closed, onBack } = props
  const current = limitSetOf(settings.data[type])
  const [base] = useState(current)
  const write = useLimitWrite(props, current)
  const { form, typed } = write
  const findings = limitFindings(current, wishedOf(typed))
  const sound = Object.keys(findings.faults).length === 0
  const sendChecked = () => {
    if (closed === null && !write.pending) void write.send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !write.pending) onBack()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    sendChecked()
  }
  const sheet = useRef<HTMLFormElement>(null)
  useEffect(() => sheet.current?.querySelector('input')?.focus(), [])
  const reasonForm = form as unknown as UseFormReturn<ReasonValues>
  return (
    <form
      ref={sheet}
      noValidate
      aria-label={`Other limits for ${typeWords[type].many}`}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
      className="grid gap-3 border-line border-t pt-3"
    >
      <Sentence type={type} name={name} />
      <LimitsMoved base={base} now={current} asked={wishedOf(typed)} />
      <div className="grid items-start gap-3 sm:grid-cols-2">
        {limitNames.map((limit) => (
          <LimitField key={limit} form={form} name={limit} current={current} live={findings.faults[limit]} />
        ))}
      </div>
      {findings.changes.length > 0 && sound && (
        <>
          <ChangeTable changes={findings.changes} />
          {usage && <WouldPass type={type} scope={scope} limits={{ ...current, ...wishedOf(typed) }} usage={usage} />}
        </>
      )}
      <ReasonFields reasons={limitReasons} form={reasonForm} where="kept" />
      {findings.jumps.length > 0 && (
        <AreaField
          form={form}
          name="jump"
          label="Why so much more at once?"
          rows={2}
          maxLength={240}
          hint={`More than three times as much: ${findings.jumps.map((jump) => limitWords[jump.name].label.toLowerCase()).join(', ')}.`}
        />
      )}
      <WarningTicks warnings={write.warnings} />
      <SheetFoot
        send={`Ask for ${findings.changes.length === 1 ? '1 other limit' : `${findings.changes.length} other limits`} for ${name}`}
        pending={write.pending}
        closed={closed}
        idempotencyKey={write.idempotencyKey}
        onSend={sendChecked}
        onBack={onBack}
      />
    </form>
  )
}

function useLimitWrite({ type, scope, name, settings, correlationId, onOutcome }: LimitFormProps, current: LimitSet) {
  const jumpsOf = (values: LimitValues) => limitFindings(current, wishedOf(values)).jumps.length
  const write = useWriteForm<'capability_requests.create', LimitValues>({
    operation: 'capability_requests.create',
    target: `${scope.account} ${type}`,
    account: scope.account,
    correlationId,
    snapshot: settings.meta.snapshot,
    values: emptyLimitValues,
    schema: capabilityRequestSchemas['capability_requests.create'].input,
    toInput: (values) => limitInput(type, current, values),
    check: (values) => limitFaults(current, values),
    ready: () => warnings.allTicked(),
    reasonOf: (values) => limitReason(values, jumpsOf(values)),
    // The service names a limit with its payment type before it, and our own reason is written in two fields.
    fieldOf: (reference) => (reference === 'reason' ? 'text' : reference.replace(`${type}.`, '')),
    onOutcome,
  })
  const warnings = useWarnings(`${write.typed.text ?? ''} ${write.typed.jump ?? ''}`, [name], [])
  return { ...write, warnings }
}

/** The whole request in one sentence; the header decides for whom it is, so the account is said. */
function Sentence({ type, name }: { type: LimitType; name: string }) {
  const { environment } = useDesk()
  const strong = 'font-semibold text-ink'
  return (
    <p className="text-base text-ink-2">
      Ask the compliance of the service for other limits of <strong className={strong}>{typeWords[type].many}</strong> for{' '}
      <strong className={strong}>
        <bdi>{name}</bdi>
      </strong>{' '}
      in <strong className={strong}>{environment.toUpperCase()}</strong>.{' '}
      <span className="text-ink-3">It is decided there, usually in two to three banking days; until then nothing changes.</span>
    </p>
  )
}

type LimitFieldProps = { form: UseFormReturn<LimitValues>; name: LimitName; current: LimitSet; live: string | undefined }

/** One limit: what is typed beside what is in force. What makes no sense is said while it is typed, not only when it is sent. */
function LimitField({ form, name, current, live }: LimitFieldProps) {
  const told = form.formState.errors[name] !== undefined
  return (
    <TextField
      form={form}
      name={name}
      label={limitWords[name].label}
      inputMode={limitWords[name].counts ? 'numeric' : 'decimal'}
      placeholder={limitText(name, current[name])}
      hint={
        <>
          now {limitText(name, current[name])}; empty leaves it so
          {live && !told && <span className="block font-medium text-bad">{live}</span>}
        </>
      }
    />
  )
}
