'use client'

import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { ActionForm } from '@/components/kits/form/action-form'
import { FieldGroup, SelectField, TextField } from '@/components/kits/form/fields'
import { Field, Select } from '@/components/ui/field'
import { bridgeSchemas } from '@/lib/operations/paykeys.schema'
import { bankAccountTypeLabels, SecretField } from './bank-details'
import {
  ConnectOptionFields,
  type ConnectTarget,
  ConnectTargetSentence,
  type ConnectValues,
  createConnectValues,
  stripSeparators,
  useConnectForm,
} from './link-form'

/** `field` is the operation's input field; `what` is the provider's name for the token. */
const aggregators = [
  { operation: 'bridge.plaid', name: 'Plaid', field: 'plaid_token', what: 'Processor token' },
  { operation: 'bridge.quiltt', name: 'Quiltt', field: 'quiltt_token', what: 'Token' },
  { operation: 'bridge.speedchex', name: 'Speedchex', field: 'speedchex_token', what: 'Token' },
] as const

type Aggregator = (typeof aggregators)[number]
type TokenOperationId = Aggregator['operation']

type ConnectMethodProps = { place: ConnectTarget; onMade: (id: string) => void }

/** The token is as sensitive as the account number, so the field hides it. */
export function AggregatorTokenMethod(props: ConnectMethodProps) {
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
      {aggregator ? (
        <AggregatorTokenForm key={chosen} aggregator={aggregator} {...props} />
      ) : (
        <TokenizedNumberForm {...props} />
      )}
    </div>
  )
}

function AggregatorTokenForm({
  aggregator,
  place,
  onMade,
}: ConnectMethodProps & { aggregator: Aggregator }) {
  const { operation, field, name, what } = aggregator
  const { form, typed, frame } = useConnectForm<
    TokenOperationId,
    ConnectValues & { token: string }
  >({
    operation,
    place,
    secret: ['token'],
    values: { ...createConnectValues(), token: '' },
    schema: bridgeSchemas[operation].input,
    own: ({ token }) => ({ [field]: token.trim() }),
    onMade,
    renames: { [field]: 'token' },
  })
  return (
    <ActionForm {...frame} layout="inline" send={`Connect through ${name}`}>
      <ConnectTargetSentence place={place} />
      <FieldGroup title={name}>
        <SecretField
          form={form}
          name="token"
          label={what}
          maxLength={2000}
          hint={`The ${name} token for this customer. Paydesk does not store the token.`}
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

type TokenizedNumberValues = ConnectValues & {
  routing_number: string
  tan: string
  account_type: string
}

function TokenizedNumberForm({ place, onMade }: ConnectMethodProps) {
  const { form, typed, frame } = useConnectForm<'bridge.tan', TokenizedNumberValues>({
    operation: 'bridge.tan',
    place,
    secret: ['tan'],
    values: { ...createConnectValues(), routing_number: '', tan: '', account_type: 'checking' },
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
      <ConnectTargetSentence place={place} />
      <FieldGroup
        title="Tokenized account number"
        note="A bank-specific substitute for the account number."
      >
        <TextField
          form={form}
          name="routing_number"
          label="Routing number"
          inputMode="numeric"
          maxLength={14}
          hint="Nine digits."
        />
        <SelectField
          form={form}
          name="account_type"
          label="Account type"
          choices={bankAccountTypeLabels}
        />
        <SecretField
          form={form}
          name="tan"
          label="Tokenized number"
          inputMode="numeric"
          maxLength={30}
          hint="4 to 17 digits."
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
