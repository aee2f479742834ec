'use client'

import type { UseFormReturn } from 'react-hook-form'
import {
  DateField,
  FieldGroup,
  NormalizedField,
  SelectField,
  setFieldValue,
  TextField,
} from '@/components/kits/form/fields'
import { Button } from '@/components/ui/button'
import {
  toE164,
  toEin,
  toRegionCode,
  toSsn,
  toWebAddress,
  toZipCode,
} from '@/lib/domain/typed-values'
import type { BusinessRepresentativeValues, CustomerValues } from './customer-values'

/** Maximum number of representatives of a business (provider facts 1.1). */
const maxRepresentatives = 20

type BusinessRepresentativeFieldsProps = {
  form: UseFormReturn<CustomerValues>
  people: readonly BusinessRepresentativeValues[]
}

function BusinessRepresentativeFields({ form, people }: BusinessRepresentativeFieldsProps) {
  const changeRepresentatives = (next: BusinessRepresentativeValues[]) =>
    setFieldValue(form, 'compliance_profile.representatives', next)
  return (
    <fieldset className="grid gap-2 sm:col-span-2">
      <legend className="mb-2 font-medium text-sm">Business representatives</legend>
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
          <NormalizedField
            form={form}
            name={`compliance_profile.representatives.${at}.phone`}
            normalize={toE164}
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
    </fieldset>
  )
}

type CustomerFieldsProps = { form: UseFormReturn<CustomerValues>; typed: CustomerValues }
/** The masked contact data of an edited customer; undefined for a new one. */
type MaskedContactProps = { masked?: { email: string | undefined; phone: string | undefined } }

/** In the edit form, masked data stays unless it is typed again. */
export const ContactFields = ({
  form,
  masked,
}: Pick<CustomerFieldsProps, 'form'> & MaskedContactProps) => (
  <FieldGroup
    title="Name and contact"
    note={masked && 'Email and phone are masked. Leave blank to keep.'}
  >
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
    <NormalizedField
      form={form}
      name="phone"
      normalize={toE164}
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
export function IdentityFields({
  form,
  typed,
  editing,
}: CustomerFieldsProps & { editing?: boolean }) {
  const editNote = editing
    ? 'Leave blank to keep the identity data. New data replaces the old and starts a new verification. '
    : ''
  const identityNote = `${editNote}Paydesk does not keep this data after sending. To see it later, a person gives a reason, and Paydesk reads it from the service.`
  if (typed.type === 'business') {
    return (
      <FieldGroup title="Business identity" note={identityNote}>
        <TextField
          form={form}
          name="compliance_profile.legal_business_name"
          label="Legal name"
          maxLength={200}
        />
        <NormalizedField
          form={form}
          name="compliance_profile.ein"
          normalize={toEin}
          label="EIN"
          placeholder="12-3456789"
          maxLength={20}
          spellCheck={false}
        />
        <NormalizedField
          form={form}
          name="compliance_profile.website"
          normalize={toWebAddress}
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
    <FieldGroup title="Personal identity" note={identityNote}>
      <NormalizedField
        form={form}
        name="compliance_profile.ssn"
        normalize={toSsn}
        label="SSN"
        placeholder="123-45-6789"
        maxLength={20}
        spellCheck={false}
      />
      <DateField form={form} name="compliance_profile.dob" label="Date of birth" />
    </FieldGroup>
  )
}

/** If all are empty, a new customer has no address, and an edited customer keeps the stored one. */
export const AddressFields = ({
  form,
  note,
}: Pick<CustomerFieldsProps, 'form'> & { note: string }) => (
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
      <NormalizedField
        form={form}
        name="address.state"
        normalize={toRegionCode}
        label="State"
        placeholder="TX"
        maxLength={2}
      />
      <NormalizedField
        form={form}
        name="address.zip"
        normalize={toZipCode}
        label="ZIP code"
        placeholder="78701"
        maxLength={20}
        inputMode="numeric"
      />
    </div>
  </FieldGroup>
)

/** If the customer is not present, the IP address 0.0.0.0 is sent. */
export const DeviceFields = ({
  form,
  typed,
  editing,
}: CustomerFieldsProps & { editing?: boolean }) => (
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
      hint={typed.device.choice === 'absent' ? 'Paydesk sends the IP address 0.0.0.0.' : undefined}
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
