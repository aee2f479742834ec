'use client'

import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import {
  CheckboxField,
  DateField,
  FieldGroup,
  NormalizedField,
  setFieldValue,
  TextField,
} from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { usePageContext } from '@/components/kits/layout/page-context'
import { useRelatedRead } from '@/components/kits/record/side-reads'
import { Notice } from '@/components/ui/notice'
import {
  listMetadataFaults,
  type MetadataLine,
  toMetadata,
  toMetadataLines,
} from '@/lib/domain/metadata-rules'
import { toE164 } from '@/lib/domain/typed-values'
import {
  findRelationshipWarnings,
  parsePercent,
} from '@/lib/features/accounts/representatives/rules'
import type { Representative } from '@/lib/operations/representatives.schema'

export type RepresentativeValues = {
  account_id: string
  first_name: string
  last_name: string
  dob: string
  ssn_last4: string
  email: string
  mobile_number: string
  relationship: {
    primary: boolean
    control: boolean
    owner: boolean
    percent_ownership: string
    title: string
  }
  external_id: string
  metadata: MetadataLine[]
}

/** `accountId` has no `acct_`; it is empty if no account is chosen. */
export const createInitialRepresentativeValues = (accountId: string): RepresentativeValues => ({
  account_id: accountId,
  ...{ first_name: '', last_name: '', dob: '', ssn_last4: '', email: '', mobile_number: '' },
  relationship: { primary: false, control: false, owner: false, percent_ownership: '', title: '' },
  external_id: '',
  metadata: [],
})

/** Masked fields are empty, because a mask must not be sent as a value. */
export function toRepresentativeValues(person: Representative): RepresentativeValues {
  const { relationship } = person
  return {
    ...createInitialRepresentativeValues(person.account_id ?? ''),
    first_name: person.first_name ?? '',
    last_name: person.last_name ?? '',
    relationship: {
      primary: relationship?.primary ?? false,
      control: relationship?.control ?? false,
      owner: relationship?.owner ?? false,
      percent_ownership: relationship?.percent_ownership?.toString() ?? '',
      title: relationship?.title ?? '',
    },
    external_id: person.external_id ?? '',
    metadata: toMetadataLines(person.metadata),
  }
}

const toFieldUnlessEmpty = <K extends string>(name: K, text: string) =>
  text.trim() === '' ? {} : { [name]: text.trim() }

function toRelationshipInput({
  primary,
  control,
  owner,
  percent_ownership,
  title,
}: RepresentativeValues['relationship']) {
  const percent = owner ? parsePercent(percent_ownership) : undefined
  return {
    primary,
    control,
    owner,
    ...(percent === undefined ? {} : { percent_ownership: percent }),
    ...toFieldUnlessEmpty('title', title),
  }
}

/** An empty external id is omitted, so that an update keeps the stored one. */
export const toRepresentativeInput = (values: RepresentativeValues) => ({
  first_name: values.first_name,
  last_name: values.last_name,
  dob: values.dob,
  ssn_last4: values.ssn_last4.trim(),
  email: values.email.trim(),
  mobile_number: toE164(values.mobile_number),
  relationship: toRelationshipInput(values.relationship),
  ...toFieldUnlessEmpty('external_id', values.external_id),
})

const isSameMetadata = (
  left: Readonly<Record<string, string>>,
  right: Readonly<Record<string, string>>,
) => JSON.stringify(Object.entries(left).sort()) === JSON.stringify(Object.entries(right).sort())

/** `metadata` replaces all stored metadata, so it is omitted if nothing changed. */
export function toMetadataInput(
  lines: readonly MetadataLine[],
  before: Readonly<Record<string, string>>,
): { metadata?: Record<string, string> } {
  const newMetadata = toMetadata(lines)
  return isSameMetadata(newMetadata, before) ? {} : { metadata: newMetadata }
}

/** Returns the errors that the schema does not find. `today` is `YYYY-MM-DD`. */
export function findRepresentativeFaults(
  { metadata, dob }: RepresentativeValues,
  today: string,
): Record<string, string> {
  return {
    ...listMetadataFaults({ metadata }),
    ...(dob === '' ? { dob: 'Enter the date of birth.' } : {}),
    ...(dob >= today ? { dob: 'Must be in the past.' } : {}),
  }
}

/**
 * Returns warnings, for example that the account already has a primary representative. Empty while
 * the account's representatives are not read. `account_id` has no `acct_`. `selfId` is the edited
 * representative, who is not compared with the stored version.
 */
export function useRelationshipWarnings(
  { account_id: account, relationship }: RepresentativeValues,
  selfId?: string,
): string[] {
  const context = usePageContext()
  const { data } = useRelatedRead(
    context,
    'representatives.list',
    account === '' ? undefined : { account_id: account, page_size: 100 },
  )
  const { percent_ownership: percent, ...ticks } = relationship
  return data ? findRelationshipWarnings({ ...ticks, percent }, data, selfId) : []
}

type RepresentativeFieldsProps = {
  form: UseFormReturn<RepresentativeValues>
  typed: RepresentativeValues
}

/** `again` is a note for the edit form: why the masked values must be typed again. */
export const PersonFields = ({
  form,
  again,
}: Pick<RepresentativeFieldsProps, 'form'> & { again?: ReactNode }) => (
  <>
    <FieldGroup title="Name">
      <TextField form={form} name="first_name" label="First name" maxLength={100} />
      <TextField form={form} name="last_name" label="Last name" maxLength={100} />
    </FieldGroup>
    <FieldGroup
      title="Identity and contact"
      note={again ? undefined : 'The service uses these to verify the representative.'}
    >
      {again && <div className="sm:col-span-2">{again}</div>}
      <DateField form={form} name="dob" label="Date of birth" />
      <TextField
        form={form}
        name="ssn_last4"
        label="SSN, last 4 digits"
        inputMode="numeric"
        maxLength={4}
        spellCheck={false}
      />
      <TextField
        form={form}
        name="email"
        label="Email"
        type="email"
        maxLength={254}
        spellCheck={false}
      />
      <NormalizedField
        form={form}
        name="mobile_number"
        normalize={toE164}
        label="Mobile phone"
        type="tel"
        placeholder="(512) 555-0100"
        maxLength={24}
      />
    </FieldGroup>
  </>
)

export const RelationshipFields = ({
  form,
  typed,
  warnings,
}: RepresentativeFieldsProps & { warnings: readonly string[] }) => (
  <FieldGroup title="Relationship to the account">
    <CheckboxField
      form={form}
      name="relationship.primary"
      label="Primary"
      hint="The main contact for the service. An account needs exactly one."
    />
    <CheckboxField
      form={form}
      name="relationship.control"
      label="Control"
      hint="Controls the business. An account needs at least one."
    />
    <CheckboxField
      form={form}
      name="relationship.owner"
      label="Owner"
      hint="Owns part of the business."
    />
    {typed.relationship.owner ? (
      <TextField
        form={form}
        name="relationship.percent_ownership"
        label="Ownership, percent"
        inputMode="decimal"
        placeholder="25"
        maxLength={8}
      />
    ) : (
      <span />
    )}
    <TextField
      form={form}
      name="relationship.title"
      label="Title"
      hint="Optional, for example Chief Executive Officer."
      maxLength={100}
    />
    {warnings.length > 0 && (
      <Notice tone="held" role="status" title="Check before you continue" className="sm:col-span-2">
        {warnings.map((warning) => (
          <p key={warning}>{warning}</p>
        ))}
      </Notice>
    )}
  </FieldGroup>
)

export const ExternalIdFields = ({
  form,
  typed,
  before,
}: RepresentativeFieldsProps & { before: Readonly<Record<string, string>> }) => (
  <>
    <FieldGroup title="Your own reference">
      <TextField
        form={form}
        name="external_id"
        label="External ID"
        hint="Optional. Leave blank to keep the current external ID."
        maxLength={100}
        spellCheck={false}
      />
    </FieldGroup>
    <MetadataField
      before={before}
      lines={typed.metadata}
      onChange={(lines) => setFieldValue(form, 'metadata', lines)}
    />
  </>
)
