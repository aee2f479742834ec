'use client'

import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { FieldGroup, SelectField, TextField } from '@/components/kits/form/fields'
import { bridgeSchemas } from '@/lib/operations/bridge.schema'
import { LinkFrame } from './link-frame'
import { LinkOptions } from './link-options'
import { digitsOf, type LinkValues, linkValues, twiceFault } from './link-values'
import type { LinkPlace } from './place'
import { SecretField } from './secret-field'
import { useLinkForm } from './use-link-form'

type BankDetailsProps = { place: LinkPlace; onMade: (id: string) => void }

type BankValues = LinkValues & { routing_number: string; account_number: string; again: string; account_type: string }

export const accountTypes = { checking: 'Checking', savings: 'Savings' }

/** Connecting by the numbers themselves. The account number is typed twice, kept in no draft, and gone from here once it was sent. */
export function BankDetails(props: BankDetailsProps) {
  const [made, setMade] = useState(0)
  return <BankForm key={made} {...props} onAnew={() => setMade(made + 1)} />
}

function BankForm({ place, onMade, onAnew }: BankDetailsProps & { onAnew: () => void }) {
  const write = useLinkForm<'bridge.bank_account', BankValues>({
    operation: 'bridge.bank_account',
    place,
    secret: ['account_number', 'again'],
    values: { ...linkValues(), routing_number: '', account_number: '', again: '', account_type: 'checking' },
    schema: bridgeSchemas['bridge.bank_account'].input,
    own: ({ routing_number, account_number, account_type }) => ({
      routing_number: digitsOf(routing_number),
      account_number: digitsOf(account_number),
      account_type,
    }),
    check: ({ account_number, again }) => twiceFault(account_number, again),
    onDone: ({ data }) => onMade(data.id),
  })
  const { form, typed } = write
  return (
    <LinkFrame operation="bridge.bank_account" place={place} write={write} label="Connect the bank account" onMade={onMade} onAnew={onAnew}>
      <FieldGroup title="Bank account" note="Typed numbers say nothing about who holds the account, and give no look at its balance.">
        <TextField
          form={form}
          name="routing_number"
          label="Routing number"
          inputMode="numeric"
          maxLength={14}
          hint="Nine digits, at the foot of a check on the left."
        />
        <SelectField form={form} name="account_type" label="Kind of account" choices={accountTypes} />
        <SecretField form={form} name="account_number" label="Account number" inputMode="numeric" maxLength={30} hint="4 to 17 digits." />
        <SecretField form={form} name="again" label="Account number again" inputMode="numeric" maxLength={30} />
      </FieldGroup>
      <LinkOptions form={form as unknown as UseFormReturn<LinkValues>} metadata={typed.metadata} withMetadata />
    </LinkFrame>
  )
}
