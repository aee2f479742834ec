'use client'

import type { UseFormReturn } from 'react-hook-form'
import type {
  ActionFormOptions,
  ReasonOptionsOfOperation,
} from '@/components/kits/form/action-form-options'
import { SelectField, setFieldValue, TextField } from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { getAccountName } from '@/lib/client/page-context'
import { listMetadataFaults, type MetadataLine, toMetadata } from '@/lib/domain/metadata-rules'
import { findOwnValue } from '@/lib/domain/service-words'
import type { WriteId } from '@/lib/operations/service-operations'

export type ConnectTarget = {
  customer: { id: string; name: string; status: string }
  /** The customer's account (`acct_…`); null if it is unknown. */
  account: string | null
  /** The reason the customer's account is unknown; null if it is known. */
  ownerWhy: string | null
  disabledReason: string | null
}

/** An empty value means the service's default. */
export type ConnectValues = {
  external_id: string
  processing_method: string
  sandbox_outcome: string
  metadata: MetadataLine[]
}

export const createConnectValues = (): ConnectValues => ({
  external_id: '',
  processing_method: '',
  sandbox_outcome: '',
  metadata: [],
})

type ConnectInput = {
  customer_id: string
  external_id?: string
  config?: { sandbox_outcome?: string; processing_method?: string }
  metadata?: Record<string, string>
}

/** The input common to all `bridge` operations. `sandbox_outcome` is sent in the sandbox only. */
export function toConnectInput(
  customerId: string,
  values: ConnectValues,
  isSandbox: boolean,
): ConnectInput {
  const { external_id, processing_method, sandbox_outcome } = values
  const paykeyConfig = {
    ...(isSandbox && sandbox_outcome !== '' ? { sandbox_outcome } : {}),
    ...(processing_method !== '' ? { processing_method } : {}),
  }
  const metadata = toMetadata(values.metadata)
  return {
    customer_id: customerId,
    ...(external_id.trim() !== '' ? { external_id: external_id.trim() } : {}),
    ...(Object.keys(paykeyConfig).length > 0 ? { config: paykeyConfig } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  }
}

export const stripSeparators = (typed: string): string => typed.replace(/[\s-]/g, '')

/** The number is typed twice, because a wrong digit would send money to another account. */
export const findRepeatedNumberFault = (
  firstNumber: string,
  repeatedNumber: string,
): Record<string, string> =>
  stripSeparators(firstNumber) === stripSeparators(repeatedNumber)
    ? {}
    : { again: 'Must match the number above.' }

const sandboxOutcomeLabels = {
  standard: 'Standard',
  active: 'Active',
  review: 'In review',
  rejected: 'Rejected',
}

const processingMethodLabels = {
  inline: 'Immediately, in the response',
  background: 'Later, in the background',
  skip: 'Skip, if the account allows it',
}

type ConnectOptionFieldsProps = {
  form: UseFormReturn<ConnectValues>
  metadata: ConnectValues['metadata']
  withMetadata: boolean
}

const openDetails = (box: HTMLDetailsElement | null) => box?.setAttribute('open', '')

/** Collapsed, unless one of the fields has an error. */
export function ConnectOptionFields({ form, metadata, withMetadata }: ConnectOptionFieldsProps) {
  const { environment } = usePageContext()
  const { errors } = form.formState
  const hasOptionFaults = Object.keys(createConnectValues()).some((name) => name in errors)
  return (
    <details
      ref={hasOptionFaults ? openDetails : undefined}
      className="group rounded border border-line bg-surface"
    >
      <summary className="px-3 py-2 font-medium text-sm">
        {environment === 'sandbox'
          ? 'Options: reference, verification, sandbox outcome'
          : 'Options: reference and verification'}
      </summary>
      <div className="grid gap-3 border-line border-t p-3">
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <TextField
            form={form}
            name="external_id"
            label="External ID"
            hint="Your own reference, optional."
            maxLength={100}
          />
          <SelectField
            form={form}
            name="processing_method"
            label="Verification timing"
            choices={processingMethodLabels}
            none="Account default"
          />
          {environment === 'sandbox' && (
            <SelectField
              form={form}
              name="sandbox_outcome"
              label="Outcome, sandbox only"
              choices={sandboxOutcomeLabels}
              none="Not set"
            />
          )}
        </div>
        {withMetadata && (
          <MetadataField
            before={{}}
            lines={metadata}
            onChange={(lines) => setFieldValue(form, 'metadata', lines)}
          />
        )}
      </div>
    </details>
  )
}

/** The operations that create a paykey or start its creation. */
type ConnectOperationId = Extract<WriteId, `bridge.${string}`>

type ConnectFormOptions<K extends ConnectOperationId, V extends ConnectValues> = Pick<
  ActionFormOptions<K, V>,
  'operation' | 'secret' | 'values' | 'schema' | 'check' | 'onDone' | 'onMade'
> & {
  place: ConnectTarget
  /** Form field names by input name, if the two differ. Errors name the input field. */
  renames?: Readonly<Record<string, string>>
  /** Returns the input fields that only this method has. */
  own: (values: V) => Record<string, unknown>
}

/** Each customer has a separate draft. */
export function useConnectForm<K extends ConnectOperationId, V extends ConnectValues>({
  place,
  own,
  check,
  renames = {},
  ...options
}: ConnectFormOptions<K, V>) {
  const { environment } = usePageContext()
  const actionFormOptions: ActionFormOptions<K, V> = {
    ...options,
    target: place.customer.id,
    account: place.account,
    ownerWhy: place.ownerWhy,
    disabledReason: place.disabledReason,
    toInput: (values) => ({
      ...toConnectInput(place.customer.id, values, environment === 'sandbox'),
      ...own(values),
    }),
    check: (values) => ({ ...listMetadataFaults(values), ...check?.(values) }),
    fieldOf: (reference) => findOwnValue(renames, reference) ?? reference.replace(/^config\./, ''),
  }
  // The cast is safe: no `bridge` operation requires a reason, but `K` is generic.
  return useActionForm<K, V>(
    actionFormOptions as ActionFormOptions<K, V> & ReasonOptionsOfOperation<K, V>,
  )
}

const strongClasses = 'font-semibold text-ink'

export function ConnectTargetSentence({ place }: { place: ConnectTarget }) {
  const context = usePageContext()
  return (
    <p className="text-ink-2">
      Connects a bank account of{' '}
      <strong className={strongClasses}>
        <ExternalText>{place.customer.name}</ExternalText>
      </strong>{' '}
      for{' '}
      <strong className={strongClasses}>
        {place.ownerWhy === null ? getAccountName(context, place.account) : 'an unknown account'}
      </strong>{' '}
      in <strong className={strongClasses}>{context.environment.toUpperCase()}</strong>.
    </p>
  )
}
