'use client'

import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { ActionForm } from '@/components/kits/form/action-form'
import { FieldGroup, SelectField, TextField } from '@/components/kits/form/fields'
import { Field, Select } from '@/components/ui/field'
import { bridgeSchemas } from '@/lib/operations/paykeys.schema'
import { accountTypes, SecretField } from './bank-details'
import { ConnectSentence, createLinkValues, LinkOptions, type LinkTarget, type LinkValues, stripSeparators, useLinkForm } from './link-form'

/** The token providers: the operation that accepts the token, its field, and the provider's name for the token. */
const aggregators = [
  { operation: 'bridge.plaid', name: 'Plaid', field: 'plaid_token', what: 'Processor token' },
  { operation: 'bridge.quiltt', name: 'Quiltt', field: 'quiltt_token', what: 'Token' },
  { operation: 'bridge.speedchex', name: 'Speedchex', field: 'speedchex_token', what: 'Token' },
] as const

type Aggregator = (typeof aggregators)[number]
type TokenOperationId = Aggregator['operation']

type ConnectMethodProps = { place: LinkTarget; onMade: (id: string) => void }

/** Connects a bank account with the token of another provider. The token is as sensitive as the account number. */
export function AggregatorToken(props: ConnectMethodProps) {
  const [chosen, setChosen] = useState<string>(aggregators[0].operation)
  const aggregator = aggregators.find(({ operation }) => operation === chosen)
  return (
    <div className="grid gap-3">
      <Field label="Where the token comes from" className="max-w-xs">
        {(control) => (
          <Select {...control} value={chosen} onChange={(event) => setChosen(event.target.value)}>
            {aggregators.map(({ operation, name }) => (
              <option key={operation} value={operation}>
                {name}
              </option>
            ))}
            <option value="bridge.tan">Tokenized account number</option>
          </Select>
        )}
      </Field>
      {aggregator ? <TokenForm key={chosen} aggregator={aggregator} {...props} /> : <TanForm {...props} />}
    </div>
  )
}

function TokenForm({ aggregator, place, onMade }: ConnectMethodProps & { aggregator: Aggregator }) {
  const { operation, field, name, what } = aggregator
  const { form, typed, frame } = useLinkForm<TokenOperationId, LinkValues & { token: string }>({
    operation,
    place,
    secret: ['token'],
    values: { ...createLinkValues(), token: '' },
    schema: bridgeSchemas[operation].input,
    own: ({ token }) => ({ [field]: token.trim() }),
    onMade,
    renames: { [field]: 'token' },
  })
  return (
    <ActionForm {...frame} layout="inline" send={`Connect through ${name}`}>
      <ConnectSentence place={place} />
      <FieldGroup title={name}>
        <SecretField
          form={form}
          name="token"
          label={what}
          maxLength={2000}
          hint={`The ${name} token for this customer. Paydesk does not store the token.`}
        />
      </FieldGroup>
      <LinkOptions form={form as unknown as UseFormReturn<LinkValues>} metadata={typed.metadata} withMetadata />
    </ActionForm>
  )
}

type TanFormValues = LinkValues & { routing_number: string; tan: string; account_type: string }

function TanForm({ place, onMade }: ConnectMethodProps) {
  const { form, typed, frame } = useLinkForm<'bridge.tan', TanFormValues>({
    operation: 'bridge.tan',
    place,
    secret: ['tan'],
    values: { ...createLinkValues(), routing_number: '', tan: '', account_type: 'checking' },
    schema: bridgeSchemas['bridge.tan'].input,
    own: ({ routing_number, tan, account_type }) => ({
      routing_number: stripSeparators(routing_number),
      tan: stripSeparators(tan),
      account_type,
    }),
    onMade,
  })
  return (
    <ActionForm {...frame} layout="inline" send="Connect the tokenized number">
      <ConnectSentence place={place} />
      <FieldGroup title="Tokenized account number" note="A bank-specific substitute for the account number.">
        <TextField form={form} name="routing_number" label="Routing number" inputMode="numeric" maxLength={14} hint="Nine digits." />
        <SelectField form={form} name="account_type" label="Account type" choices={accountTypes} />
        <SecretField form={form} name="tan" label="Tokenized number" inputMode="numeric" maxLength={30} hint="4 to 17 digits." />
      </FieldGroup>
      <LinkOptions form={form as unknown as UseFormReturn<LinkValues>} metadata={typed.metadata} withMetadata />
    </ActionForm>
  )
}
