'use client'

import { useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ActionForm } from '@/components/kits/form/action-form'
import { FieldGroup, getFieldError, SelectField, TextField } from '@/components/kits/form/fields'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { bridgeSchemas } from '@/lib/operations/paykeys.schema'
import {
  ConnectOptionFields,
  type ConnectTarget,
  ConnectTargetSentence,
  type ConnectValues,
  createConnectValues,
  findRepeatedNumberFault,
  stripSeparators,
  useConnectForm,
} from './link-form'

type SecretFieldProps<V extends FieldValues> = {
  form: UseFormReturn<V>
  name: Path<V>
  label: string
  hint?: string
  inputMode?: 'numeric' | 'text'
  maxLength?: number
}

/**
 * Its value is hidden until "Show" is pressed. It is not a password field, because browsers would
 * offer to save the value as a password.
 */
export function SecretField<V extends FieldValues>({
  form,
  name,
  label,
  hint,
  inputMode,
  maxLength,
}: SecretFieldProps<V>) {
  const [isRevealed, setIsRevealed] = useState(false)
  return (
    <Field label={label} hint={hint} error={getFieldError(form, name)}>
      {(control) => (
        <span className="flex gap-1">
          <Input
            {...control}
            {...form.register(name)}
            inputMode={inputMode}
            maxLength={maxLength}
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            className={cn('font-mono', !isRevealed && '[-webkit-text-security:disc]')}
          />
          <Button
            variant="quiet"
            aria-pressed={isRevealed}
            onClick={() => setIsRevealed(!isRevealed)}
          >
            Show<span className="sr-only"> the {label.toLowerCase()}</span>
          </Button>
        </span>
      )}
    </Field>
  )
}

type BankDetailsProps = { place: ConnectTarget; onMade: (id: string) => void }

type BankDetailsValues = ConnectValues & {
  routing_number: string
  account_number: string
  again: string
  account_type: string
}

export const bankAccountTypeLabels = { checking: 'Checking', savings: 'Savings' }

/** The account number is typed twice, is not stored in the draft, and is cleared after sending. */
export function BankDetailsForm({ place, onMade }: BankDetailsProps) {
  const { form, typed, frame } = useConnectForm<'bridge.bank_account', BankDetailsValues>({
    operation: 'bridge.bank_account',
    place,
    secret: ['account_number', 'again'],
    values: {
      ...createConnectValues(),
      routing_number: '',
      account_number: '',
      again: '',
      account_type: 'checking',
    },
    schema: bridgeSchemas['bridge.bank_account'].input,
    own: ({ routing_number, account_number, account_type }) => ({
      routing_number: stripSeparators(routing_number),
      account_number: stripSeparators(account_number),
      account_type,
    }),
    check: ({ account_number, again }) => findRepeatedNumberFault(account_number, again),
    onMade,
  })
  return (
    <ActionForm {...frame} layout="inline" send="Connect the bank account">
      <ConnectTargetSentence place={place} />
      <FieldGroup
        title="Bank account"
        note="Manual entry does not verify the account holder and does not allow balance checks."
      >
        <TextField
          form={form}
          name="routing_number"
          label="Routing number"
          inputMode="numeric"
          maxLength={14}
          hint="Nine digits, at the bottom left of a check."
        />
        <SelectField
          form={form}
          name="account_type"
          label="Account type"
          choices={bankAccountTypeLabels}
        />
        <SecretField
          form={form}
          name="account_number"
          label="Account number"
          inputMode="numeric"
          maxLength={30}
          hint="4 to 17 digits."
        />
        <SecretField
          form={form}
          name="again"
          label="Confirm account number"
          inputMode="numeric"
          maxLength={30}
        />
      </FieldGroup>
      <ConnectOptionFields
        form={form as unknown as UseFormReturn<ConnectValues>}
        metadata={typed.metadata}
        withMetadata
      />
    </ActionForm>
  )
}
