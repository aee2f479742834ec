'use client'

import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { DateField, FieldGroup, setField, TextField, TickField } from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { Notice } from '@/components/ui/notice'
import type { RepresentativeValues } from './representative-values'

type FieldsProps = { form: UseFormReturn<RepresentativeValues>; typed: RepresentativeValues }

/** Who it is. `again` explains why known values have to be typed again, and offers to look them up. */
export const PersonFields = ({ form, again }: Pick<FieldsProps, 'form'> & { again?: ReactNode }) => (
  <>
    <FieldGroup title="Name">
      <TextField form={form} name="first_name" label="First name" maxLength={100} />
      <TextField form={form} name="last_name" label="Last name" maxLength={100} />
    </FieldGroup>
    <FieldGroup title="Identity and contact" note={again ? undefined : 'The service verifies the person by these.'}>
      {again && <div className="sm:col-span-2">{again}</div>}
      <DateField form={form} name="dob" label="Date of birth" />
      <TextField form={form} name="ssn_last4" label="SSN, last 4 digits" inputMode="numeric" maxLength={4} spellCheck={false} />
      <TextField form={form} name="email" label="E-mail" type="email" maxLength={254} spellCheck={false} />
      <TextField
        form={form}
        name="mobile_number"
        label="Mobile"
        type="tel"
        placeholder="+15125550100"
        hint="With + and the country code."
        maxLength={24}
      />
    </FieldGroup>
  </>
)

/** What the person is to the account, with what should be known before it is sent. */
export const RelationshipFields = ({ form, typed, warnings }: FieldsProps & { warnings: readonly string[] }) => (
  <FieldGroup title="Relationship to the account">
    <TickField form={form} name="relationship.primary" label="Primary" hint="The one the service turns to. An account has one." />
    <TickField form={form} name="relationship.control" label="Control" hint="Directs the business. An account needs at least one." />
    <TickField form={form} name="relationship.owner" label="Owner" hint="Owns a part of the business." />
    {typed.relationship.owner ? (
      <TextField
        form={form}
        name="relationship.percent_ownership"
        label="Owns, in percent"
        inputMode="decimal"
        placeholder="25"
        maxLength={8}
      />
    ) : (
      <span />
    )}
    <TextField form={form} name="relationship.title" label="Title" hint="Optional, for example Chief Executive Officer." maxLength={100} />
    {warnings.length > 0 && (
      <Notice tone="held" role="status" title="Look at this first" className="sm:col-span-2">
        {warnings.map((warning) => (
          <p key={warning}>{warning}</p>
        ))}
      </Notice>
    )}
  </FieldGroup>
)

/** Our own reference and pairs. */
export const OwnFields = ({ form, typed, before }: FieldsProps & { before: Readonly<Record<string, string>> }) => (
  <>
    <FieldGroup title="Your own reference">
      <TextField
        form={form}
        name="external_id"
        label="External id"
        hint="Optional. One that was given stays when this is left empty."
        maxLength={100}
        spellCheck={false}
      />
    </FieldGroup>
    <MetadataField before={before} lines={typed.metadata} onChange={(lines) => setField(form, 'metadata', lines)} />
  </>
)
