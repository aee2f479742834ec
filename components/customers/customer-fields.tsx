'use client'

import type { UseFormReturn } from 'react-hook-form'
import { DateField, FieldGroup, SelectField, TextField } from '@/components/kits/form/fields'
import type { CustomerValues } from './customer-values'
import { PeopleFields } from './people-fields'

type FieldsProps = { form: UseFormReturn<CustomerValues>; typed: CustomerValues }
/** What an edited customer has now, masked; undefined for a new one. */
type KeepProps = { masked?: { email: string | undefined; phone: string | undefined } }

/** Name and contact. While editing, masked contact data stays unless something is typed. */
export const ContactFields = ({ form, masked }: Pick<FieldsProps, 'form'> & KeepProps) => (
  <FieldGroup title="Contact" note={masked && 'E-mail and phone are masked here. What is left empty stays as it is.'}>
    <TextField form={form} name="name" label="Name" maxLength={200} className="sm:col-span-2" />
    <TextField
      form={form}
      name="email"
      label="E-mail"
      type="email"
      maxLength={254}
      spellCheck={false}
      placeholder={keptText(masked?.email)}
    />
    <TextField
      form={form}
      name="phone"
      label="Phone"
      type="tel"
      maxLength={16}
      placeholder={keptText(masked?.phone) ?? '+15125550100'}
      hint="With + and the country code"
    />
  </FieldGroup>
)

const keptText = (masked: string | undefined) => (masked ? `stays ${masked}` : undefined)

/** What proves who it is: a person's numbers or a business's, never both. They are typed once and gone from here once sent. */
export function IdentityFields({ form, typed, editing }: FieldsProps & { editing?: boolean }) {
  const kept = editing ? 'Left empty, all of it stays as it is; filled, it replaces all of it and a new verification begins. ' : ''
  const note = `${kept}Typed once: it is not kept here after sending and never shown again without a reason.`
  if (typed.type === 'business') {
    return (
      <FieldGroup title="Identity of the business" note={note}>
        <TextField form={form} name="compliance_profile.legal_business_name" label="Legal name" maxLength={200} />
        <TextField form={form} name="compliance_profile.ein" label="EIN" placeholder="12-3456789" maxLength={10} spellCheck={false} />
        <TextField
          form={form}
          name="compliance_profile.website"
          label="Website"
          type="url"
          placeholder="https://"
          maxLength={500}
          className="sm:col-span-2"
        />
        <PeopleFields form={form} people={typed.compliance_profile.representatives} />
      </FieldGroup>
    )
  }
  return (
    <FieldGroup title="Identity of the person" note={note}>
      <TextField form={form} name="compliance_profile.ssn" label="SSN" placeholder="123-45-6789" maxLength={11} spellCheck={false} />
      <DateField form={form} name="compliance_profile.dob" label="Date of birth" />
    </FieldGroup>
  )
}

/** The address; left empty there is none, or while editing it stays. */
export const AddressFields = ({ form, note }: Pick<FieldsProps, 'form'> & { note: string }) => (
  <FieldGroup title="Address" note={note}>
    <TextField form={form} name="address.address1" label="Street and number" maxLength={100} />
    <TextField form={form} name="address.address2" label="Addition" maxLength={100} />
    <TextField form={form} name="address.city" label="City" maxLength={100} />
    <div className="grid grid-cols-2 items-start gap-4">
      <TextField form={form} name="address.state" label="State" placeholder="TX" maxLength={2} />
      <TextField form={form} name="address.zip" label="ZIP code" placeholder="78701" maxLength={10} inputMode="numeric" />
    </div>
  </FieldGroup>
)

/** Which device the customer used; that none was present has to be said. */
export const DeviceFields = ({ form, typed, editing }: FieldsProps & { editing?: boolean }) => (
  <FieldGroup title="Device and reference">
    <SelectField
      form={form}
      name="device.choice"
      label="Device of the customer"
      choices={{ ...(editing ? { kept: 'As it is' } : {}), absent: 'Customer not present', present: 'Customer present, at this address' }}
      hint={typed.device.choice === 'absent' ? 'Sent as 0.0.0.0' : undefined}
    />
    {typed.device.choice === 'present' && (
      <TextField form={form} name="device.ip_address" label="IPv4 address" placeholder="203.0.113.7" maxLength={15} spellCheck={false} />
    )}
    <TextField
      form={form}
      name="external_id"
      label="External id"
      maxLength={100}
      spellCheck={false}
      hint={editing ? 'Your own reference; left empty it stays as it is' : 'Your own reference'}
    />
  </FieldGroup>
)
