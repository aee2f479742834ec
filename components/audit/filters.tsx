'use client'

import type { ReactNode } from 'react'
import { Link } from '@/components/kits/layout/link'
import { useZone } from '@/components/kits/layout/preferences-context'
import { ZoneName } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { Field, Select } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { type AuditOutcome, auditOutcomes } from '@/lib/operations/audit'
import type { AuditFilter } from '@/lib/operations/audit.schema'

type FilterChoice = { value: string; label: string }

export type FilterChoices = {
  people: readonly FilterChoice[]
  asked: readonly FilterChoice[]
  accounts: readonly FilterChoice[]
}

export const outcomeLabels: Readonly<Record<AuditOutcome, string>> = {
  done: 'Done',
  started: 'Started',
  asked: 'Approval requested',
  refused: 'Refused',
  denied: 'Denied',
  unknown: 'Outcome unknown',
}

type ChoiceFieldProps = {
  name: keyof AuditFilter
  label: string
  any: string
  value: string | undefined
  choices: readonly FilterChoice[]
}

const ChoiceField = ({ name, label, any, value, choices }: ChoiceFieldProps) => (
  <Field label={label} className="min-w-0">
    {(control) => (
      <Select {...control} name={name} defaultValue={value ?? ''}>
        <option value="">{any}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </Select>
    )}
  </Field>
)

type TextFieldProps = {
  name: keyof AuditFilter
  label: ReactNode
  value: string | undefined
  type?: 'text' | 'date'
  placeholder?: string
  error: string | undefined
}

const TextField = ({ name, label, value, type = 'text', placeholder, error }: TextFieldProps) => (
  <Field label={label} error={error} className="min-w-0">
    {(control) => (
      <Input
        {...control}
        name={name}
        type={type}
        defaultValue={value ?? ''}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
      />
    )}
  </Field>
)

type AuditFiltersProps = {
  /** URL of the page without filters. */
  action: string
  given: Readonly<Record<string, string>>
  errors: Readonly<Record<string, string>>
  choices: FilterChoices
}

/** The name of the time zone of a typed day, if it is not the one in which the page shows times. */
const OtherZoneName = ({ zone }: { zone: string }) => (zone === useZone() ? <ZoneName /> : zone)

/**
 * The form uses GET, so that every result has a URL. A day in the URL keeps its time zone, so that a
 * link selects the same rows for every person.
 */
export function AuditFilters({ action, given, errors, choices }: AuditFiltersProps) {
  const ownZone = useZone()
  const zone = given.zone ?? (given.from || given.to ? 'UTC' : ownZone)
  return (
    <form
      action={action}
      method="get"
      aria-label="Filter the audit"
      className="grid gap-3 rounded border border-line bg-surface p-3 print:hidden"
    >
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-5">
        <TextField
          name="from"
          label={
            <>
              From, <OtherZoneName zone={zone} />
            </>
          }
          type="date"
          value={given.from}
          error={errors.from}
        />
        <TextField
          name="to"
          label={
            <>
              To, <OtherZoneName zone={zone} />
            </>
          }
          type="date"
          value={given.to}
          error={errors.to ?? errors.zone}
        />
        <input type="hidden" name="zone" value={zone} />
        <ChoiceField
          name="person"
          label="User"
          any="All people"
          value={given.person}
          choices={choices.people}
        />
        <ChoiceField
          name="what"
          label="Operation"
          any="All operations"
          value={given.what}
          choices={choices.asked}
        />
        <ChoiceField
          name="outcome"
          label="Outcome"
          any="All outcomes"
          value={given.outcome}
          choices={auditOutcomes.map((value) => ({ value, label: outcomeLabels[value] }))}
        />
        <ChoiceField
          name="account"
          label="Account"
          any="All accounts"
          value={given.account}
          choices={choices.accounts}
        />
        <TextField
          name="target"
          label="Record"
          placeholder="payouts/…"
          value={given.target}
          error={errors.target}
        />
        <TextField name="action" label="Action ID" value={given.action} error={errors.action} />
        <TextField name="request" label="Request ID" value={given.request} error={errors.request} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" size="small">
          Filter
        </Button>
        {Object.keys(given).length > 0 && (
          <Link href={action} className={buttonVariants({ size: 'small', variant: 'quiet' })}>
            Remove all filters
          </Link>
        )}
      </div>
    </form>
  )
}
