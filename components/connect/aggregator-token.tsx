'use client'

import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { FieldGroup, SelectField, TextField } from '@/components/kits/form/fields'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { bridgeSchemas } from '@/lib/operations/bridge.schema'
import { accountTypes } from './bank-details'
import { LinkFrame } from './link-frame'
import { LinkOptions } from './link-options'
import { digitsOf, type LinkValues, linkValues } from './link-values'
import type { LinkPlace } from './place'
import { SecretField } from './secret-field'
import { useLinkForm } from './use-link-form'

/** Who gives a token, by the operation that takes it; the field and what it is called. */
const aggregators = {
  'bridge.plaid': { name: 'Plaid', field: 'plaid_token', what: 'Processor token' },
  'bridge.quiltt': { name: 'Quiltt', field: 'quiltt_token', what: 'Token' },
  'bridge.speedchex': { name: 'Speedchex', field: 'speedchex_token', what: 'Token' },
} as const

type TokenId = keyof typeof aggregators

const kinds: Readonly<Record<TokenId | 'bridge.tan', string>> = {
  'bridge.plaid': 'Plaid',
  'bridge.quiltt': 'Quiltt',
  'bridge.speedchex': 'Speedchex',
  'bridge.tan': 'Tokenised account number',
}

type WayProps = { place: LinkPlace; onMade: (id: string) => void }
type FormProps = WayProps & { onAnew: () => void }

/** Connecting by a token that somebody else gave for the bank account. It is as good as the number and is treated like one. */
export function AggregatorToken(props: WayProps) {
  const [kind, setKind] = useState<keyof typeof kinds>('bridge.plaid')
  const [made, setMade] = useState(0)
  const anew = () => setMade(made + 1)
  return (
    <div className="grid gap-3">
      <Field label="Where the token comes from" className="max-w-xs">
        {(control) => (
          <Select {...control} value={kind} onChange={(event) => setKind(event.target.value as keyof typeof kinds)}>
            {Object.entries(kinds).map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {kind === 'bridge.tan' ? (
        <TanForm key={made} {...props} onAnew={anew} />
      ) : (
        <TokenForm key={`${kind} ${made}`} operation={kind} {...props} onAnew={anew} />
      )}
    </div>
  )
}

function TokenForm({ operation, place, onMade, onAnew }: FormProps & { operation: TokenId }) {
  const { field, name, what } = aggregators[operation]
  const write = useLinkForm<TokenId, LinkValues & { token: string }>({
    operation,
    place,
    secret: ['token'],
    values: { ...linkValues(), token: '' },
    schema: bridgeSchemas[operation].input,
    own: ({ token }) => ({ [field]: token.trim() }),
    onDone: ({ data }) => onMade(data.id),
    renames: { [field]: 'token' },
  })
  const { form, typed } = write
  return (
    <LinkFrame operation={operation} place={place} write={write} label={`Connect through ${name}`} onMade={onMade} onAnew={onAnew}>
      <FieldGroup title={name}>
        <SecretField
          form={form}
          name="token"
          label={what}
          maxLength={2000}
          hint={`As ${name} gave it for this customer; it is kept nowhere here.`}
        />
      </FieldGroup>
      <LinkOptions form={form as unknown as UseFormReturn<LinkValues>} metadata={typed.metadata} withMetadata />
    </LinkFrame>
  )
}

type TanValues = LinkValues & { routing_number: string; tan: string; account_type: string }

function TanForm({ place, onMade, onAnew }: FormProps) {
  const write = useLinkForm<'bridge.tan', TanValues>({
    operation: 'bridge.tan',
    place,
    secret: ['tan'],
    values: { ...linkValues(), routing_number: '', tan: '', account_type: 'checking' },
    schema: bridgeSchemas['bridge.tan'].input,
    own: ({ routing_number, tan, account_type }) => ({ routing_number: digitsOf(routing_number), tan: digitsOf(tan), account_type }),
    onDone: ({ data }) => onMade(data.id),
  })
  const { form, typed } = write
  return (
    <LinkFrame operation="bridge.tan" place={place} write={write} label="Connect the tokenised number" onMade={onMade} onAnew={onAnew}>
      <FieldGroup title="Tokenised account number" note="A number that stands for the account number with one bank only.">
        <TextField form={form} name="routing_number" label="Routing number" inputMode="numeric" maxLength={14} hint="Nine digits." />
        <SelectField form={form} name="account_type" label="Kind of account" choices={accountTypes} />
        <SecretField form={form} name="tan" label="Tokenised number" inputMode="numeric" maxLength={30} hint="4 to 17 digits." />
      </FieldGroup>
      <LinkOptions form={form as unknown as UseFormReturn<LinkValues>} metadata={typed.metadata} withMetadata />
    </LinkFrame>
  )
}
