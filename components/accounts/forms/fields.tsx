'use client'

import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import {
  FieldGroup,
  NormalizedField,
  TextAreaField,
  TextField,
} from '@/components/kits/form/fields'
import { toE164, toRegionCode, toWebAddress } from '@/lib/domain/typed-values'
import type { AccountFormValues } from '@/lib/features/accounts/form'

type FormProps = { form: UseFormReturn<AccountFormValues> }

/** `children` is the field for the tax id, which differs between the forms. */
export const BusinessFields = ({ form, children }: FormProps & { children: ReactNode }) => (
  <FieldGroup title="Business">
    <TextField form={form} name="business_profile.name" label="Name" maxLength={200} />
    <TextField form={form} name="business_profile.legal_name" label="Legal name" maxLength={200} />
    <NormalizedField
      form={form}
      name="business_profile.website"
      normalize={toWebAddress}
      label="Website"
      type="url"
      inputMode="url"
      placeholder="https://"
      spellCheck={false}
    />
    <NormalizedField
      form={form}
      name="business_profile.phone"
      normalize={toE164}
      label="Phone"
      type="tel"
      inputMode="tel"
      placeholder="(512) 555-0100"
    />
    {children}
    <TextAreaField
      form={form}
      name="business_profile.description"
      label="Business description"
      maxLength={1000}
      className="sm:col-span-2"
    />
    <TextAreaField
      form={form}
      name="business_profile.use_case"
      label="Purpose of the payments"
      maxLength={1000}
      className="sm:col-span-2"
    />
  </FieldGroup>
)

const IndustryFields = ({ form }: FormProps) => (
  <FieldGroup title="Industry" note="The merchant category code, or sector and category.">
    <TextField
      form={form}
      name="business_profile.industry.mcc"
      label="Merchant category code"
      inputMode="numeric"
      maxLength={4}
    />
    <span className="max-sm:hidden" />
    <TextField form={form} name="business_profile.industry.sector" label="Sector" maxLength={100} />
    <TextField
      form={form}
      name="business_profile.industry.category"
      label="Category"
      maxLength={100}
    />
  </FieldGroup>
)

const AddressFields = ({ form }: FormProps) => (
  <FieldGroup title="Address">
    <TextField
      form={form}
      name="business_profile.address.line1"
      label="Street address"
      maxLength={100}
    />
    <TextField
      form={form}
      name="business_profile.address.line2"
      label="Suite or floor, if any"
      maxLength={100}
    />
    <TextField form={form} name="business_profile.address.city" label="City" maxLength={100} />
    <NormalizedField
      form={form}
      name="business_profile.address.state"
      normalize={toRegionCode}
      label="State"
      maxLength={2}
      placeholder="TX"
    />
    <TextField
      form={form}
      name="business_profile.address.postal_code"
      label="Postal code"
      maxLength={20}
    />
    <NormalizedField
      form={form}
      name="business_profile.address.country"
      normalize={toRegionCode}
      label="Country"
      maxLength={2}
      placeholder="US"
    />
  </FieldGroup>
)

const SupportFields = ({ form }: FormProps) => (
  <FieldGroup title="Support channels" note="How customers of the business get support.">
    <TextField
      form={form}
      name="business_profile.support_channels.email"
      label="Support email"
      type="email"
      spellCheck={false}
    />
    <NormalizedField
      form={form}
      name="business_profile.support_channels.phone"
      normalize={toE164}
      label="Support phone"
      type="tel"
      inputMode="tel"
    />
    <NormalizedField
      form={form}
      name="business_profile.support_channels.url"
      normalize={toWebAddress}
      label="Support page"
      type="url"
      inputMode="url"
      placeholder="https://"
      spellCheck={false}
      className="sm:col-span-2"
    />
  </FieldGroup>
)

/**
 * A group that is left empty is not sent. A group that is filled in must be complete enough for the
 * schema: for example, an address needs a street, city, state and postal code.
 */
export const OptionalProfileFields = ({ form }: FormProps) => (
  <>
    <IndustryFields form={form} />
    <AddressFields form={form} />
    <SupportFields form={form} />
  </>
)
