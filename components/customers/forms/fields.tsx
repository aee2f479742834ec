'use client'

import type { UseFormReturn } from 'react-hook-form'
import {
  DateField,
  FieldGroup,
  SelectField,
  setField,
  TextField,
} from '@/components/kits/form/fields'
import { Button } from '@/components/ui/button'
import { type MetadataLine, toMetadata, toMetadataLines } from '@/lib/domain/metadata-rules'
import { toE164 } from '@/lib/domain/phone'
import type { Customer } from '@/lib/operations/customers.schema'

type BusinessRepresentativeValues = { name: string; email: string; phone: string }

/** `absent`: the customer is not present. `kept`: unchanged, in the edit form only. */
type DeviceChoice = 'absent' | 'present' | 'kept'

/** Has the names of the operation's input fields, so that each error is shown at its field. */
export type CustomerValues = {
  type: string
  name: string
  email: string
  phone: string
  device: { choice: DeviceChoice; ip_address: string }
  address: { address1: string; address2: string; city: string; state: string; zip: string }
  compliance_profile: {
    ssn: string
    dob: string
    ein: string
    legal_business_name: string
    website: string
    representatives: BusinessRepresentativeValues[]
  }
  external_id: string
  config: { sandbox_outcome: string; processing_method: string }
  metadata: MetadataLine[]
}

const emptyValues: CustomerValues = {
  type: 'individual',
  name: '',
  email: '',
  phone: '',
  device: { choice: 'absent', ip_address: '' },
  address: { address1: '', address2: '', city: '', state: '', zip: '' },
  compliance_profile: {
    ssn: '',
    dob: '',
    ein: '',
    legal_business_name: '',
    website: '',
    representatives: [],
  },
  external_id: '',
  config: { sandbox_outcome: '', processing_method: '' },
  metadata: [],
}

export const createInitialValues = (): CustomerValues => structuredClone(emptyValues)

/** Masked fields start empty, and a field that is left empty stays unchanged. */
export function toCustomerValues(customer: Customer): CustomerValues {
  return {
    ...structuredClone(emptyValues),
    type: customer.type ?? 'individual',
    name: customer.name,
    device: { choice: 'kept', ip_address: '' },
    external_id: customer.external_id ?? '',
    metadata: toMetadataLines(customer.metadata),
  }
}

/** Undefined if all fields are empty. */
function trimFilledFields<T extends Record<string, string>>(fields: T): Partial<T> | undefined {
  const filledEntries = Object.entries(fields).flatMap(([name, value]) =>
    value.trim() ? [[name, value.trim()] as const] : [],
  )
  return filledEntries.length > 0 ? (Object.fromEntries(filledEntries) as Partial<T>) : undefined
}

function toProfileInput({ type, compliance_profile: profile }: CustomerValues) {
  const { ssn, dob, ein, legal_business_name, website, representatives } = profile
  if (type !== 'business') return trimFilledFields({ ssn, dob })
  const representativeInputs = representatives
    .map((person) => trimFilledFields({ ...person, phone: toE164(person.phone) }))
    .filter((person) => person !== undefined)
  const fields = trimFilledFields({ ein, legal_business_name, website })
  return fields || representativeInputs.length > 0
    ? {
        ...fields,
        ...(representativeInputs.length > 0 ? { representatives: representativeInputs } : {}),
      }
    : undefined
}

function toDeviceInput({ choice, ip_address }: CustomerValues['device']) {
  if (choice === 'kept') return undefined
  return { ip_address: choice === 'absent' ? '0.0.0.0' : ip_address.trim() }
}

/** Returns the input that create and update have in common. Empty fields are omitted. */
function toSharedInput(values: CustomerValues) {
  return {
    name: values.name.trim(),
    device: toDeviceInput(values.device),
    address: trimFilledFields(values.address),
    compliance_profile: toProfileInput(values),
    external_id: values.external_id.trim() || undefined,
    metadata: toMetadata(values.metadata),
  }
}

export const toCreateInput = (values: CustomerValues, isSandbox: boolean) => ({
  ...toSharedInput(values),
  type: values.type,
  email: values.email.trim(),
  phone: toE164(values.phone),
  config: trimFilledFields(
    isSandbox ? values.config : { processing_method: values.config.processing_method },
  ),
})

/** Paydesk's server adds omitted email, phone and device, which the service requires. */
export const toUpdateInput = (values: CustomerValues, { id, status }: Customer) => ({
  id,
  status,
  ...toSharedInput(values),
  email: values.email.trim() || undefined,
  phone: toE164(values.phone) || undefined,
})

/** The identity fields that are not stored in drafts. */
export const secretFieldNames = [
  'compliance_profile.ssn',
  'compliance_profile.dob',
  'compliance_profile.ein',
]

/** Maximum number of representatives of a business (provider facts 1.1). */
const maxRepresentatives = 20

type BusinessRepresentativeFieldsProps = {
  form: UseFormReturn<CustomerValues>
  people: readonly BusinessRepresentativeValues[]
}

function BusinessRepresentativeFields({ form, people }: BusinessRepresentativeFieldsProps) {
  const changeRepresentatives = (next: BusinessRepresentativeValues[]) =>
    setField(form, 'compliance_profile.representatives', next)
  return (
    <div className="grid gap-2 sm:col-span-2">
      <h3 className="font-medium text-sm">Business representatives</h3>
      {people.map((person, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the form registers the fields of a line by its index
        <div key={at} className="grid items-start gap-2 sm:grid-cols-[2fr_2fr_1.5fr_auto]">
          <TextField
            form={form}
            name={`compliance_profile.representatives.${at}.name`}
            label={`Name ${at + 1}`}
            maxLength={200}
          />
          <TextField
            form={form}
            name={`compliance_profile.representatives.${at}.email`}
            label="Email"
            type="email"
            maxLength={254}
          />
          <TextField
            form={form}
            name={`compliance_profile.representatives.${at}.phone`}
            label="Phone"
            type="tel"
            maxLength={24}
          />
          <Button
            variant="quiet"
            className="sm:mt-6"
            aria-label={`Remove ${person.name || `person ${at + 1}`}`}
            onClick={() => changeRepresentatives(people.filter((_, other) => other !== at))}
          >
            Remove
          </Button>
        </div>
      ))}
      <span>
        <Button
          size="small"
          disabledReason={
            people.length >= maxRepresentatives
              ? `A business can name at most ${maxRepresentatives} people.`
              : null
          }
          onClick={() => changeRepresentatives([...people, { name: '', email: '', phone: '' }])}
        >
          Add a person
        </Button>
      </span>
    </div>
  )
}

type FieldsProps = { form: UseFormReturn<CustomerValues>; typed: CustomerValues }
/** The masked contact data of an edited customer; undefined for a new one. */
type MaskedContactProps = { masked?: { email: string | undefined; phone: string | undefined } }

/** In the edit form, masked data stays unless it is typed again. */
export const ContactFields = ({ form, masked }: Pick<FieldsProps, 'form'> & MaskedContactProps) => (
  <FieldGroup title="Contact" note={masked && 'Email and phone are masked. Leave blank to keep.'}>
    <TextField form={form} name="name" label="Name" maxLength={200} className="sm:col-span-2" />
    <TextField
      form={form}
      name="email"
      label="Email"
      type="email"
      maxLength={254}
      spellCheck={false}
      placeholder={formatUnchangedHint(masked?.email)}
    />
    <TextField
      form={form}
      name="phone"
      label="Phone"
      type="tel"
      maxLength={24}
      placeholder={formatUnchangedHint(masked?.phone) ?? '(512) 555-0100'}
    />
  </FieldGroup>
)

const formatUnchangedHint = (masked: string | undefined) =>
  masked ? `unchanged: ${masked}` : undefined

/** The draft omits SSN, date of birth and EIN (`secretFieldNames`). */
export function IdentityFields({ form, typed, editing }: FieldsProps & { editing?: boolean }) {
  const editNote = editing
    ? 'Leave blank to keep the identity data. New data replaces the old and starts a new verification. '
    : ''
  const note = `${editNote}Paydesk does not keep this data after sending. Showing it later requires a reason.`
  if (typed.type === 'business') {
    return (
      <FieldGroup title="Business identity" note={note}>
        <TextField
          form={form}
          name="compliance_profile.legal_business_name"
          label="Legal name"
          maxLength={200}
        />
        <TextField
          form={form}
          name="compliance_profile.ein"
          label="EIN"
          placeholder="12-3456789"
          maxLength={10}
          spellCheck={false}
        />
        <TextField
          form={form}
          name="compliance_profile.website"
          label="Website"
          type="url"
          placeholder="https://"
          maxLength={500}
          className="sm:col-span-2"
        />
        <BusinessRepresentativeFields
          form={form}
          people={typed.compliance_profile.representatives}
        />
      </FieldGroup>
    )
  }
  return (
    <FieldGroup title="Personal identity" note={note}>
      <TextField
        form={form}
        name="compliance_profile.ssn"
        label="SSN"
        placeholder="123-45-6789"
        maxLength={11}
        spellCheck={false}
      />
      <DateField form={form} name="compliance_profile.dob" label="Date of birth" />
    </FieldGroup>
  )
}

/** If all are empty, a new customer has no address, and an edited customer keeps the stored one. */
export const AddressFields = ({ form, note }: Pick<FieldsProps, 'form'> & { note: string }) => (
  <FieldGroup title="Address" note={note}>
    <TextField form={form} name="address.address1" label="Street address" maxLength={100} />
    <TextField
      form={form}
      name="address.address2"
      label="Apartment, suite or floor"
      maxLength={100}
    />
    <TextField form={form} name="address.city" label="City" maxLength={100} />
    <div className="grid grid-cols-2 items-start gap-4">
      <TextField form={form} name="address.state" label="State" placeholder="TX" maxLength={2} />
      <TextField
        form={form}
        name="address.zip"
        label="ZIP code"
        placeholder="78701"
        maxLength={10}
        inputMode="numeric"
      />
    </div>
  </FieldGroup>
)

/** If the customer is not present, the IP address 0.0.0.0 is sent. */
export const DeviceFields = ({ form, typed, editing }: FieldsProps & { editing?: boolean }) => (
  <FieldGroup title="Device and reference">
    <SelectField
      form={form}
      name="device.choice"
      label="Customer’s device"
      choices={{
        ...(editing ? { kept: 'Unchanged' } : {}),
        absent: 'Customer not present',
        present: 'Customer present, with this IP address',
      }}
      hint={typed.device.choice === 'absent' ? 'Sent as 0.0.0.0' : undefined}
    />
    {typed.device.choice === 'present' && (
      <TextField
        form={form}
        name="device.ip_address"
        label="IPv4 address"
        placeholder="203.0.113.7"
        maxLength={15}
        spellCheck={false}
      />
    )}
    <TextField
      form={form}
      name="external_id"
      label="External ID"
      maxLength={100}
      spellCheck={false}
      hint={editing ? 'Your own reference. Leave blank to keep.' : 'Your own reference'}
    />
  </FieldGroup>
)
