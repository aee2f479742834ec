'use client'

import type { UseFormReturn } from 'react-hook-form'
import { SelectField, setField, TextField } from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { type ActionFormOptions, type ReasonsFor, useActionForm } from '@/components/kits/form/use-action-form'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { accountName } from '@/lib/client/page-context'
import { type MetadataLine, metadataFaults, metadataOf } from '@/lib/domain/metadata-rules'
import { inTable } from '@/lib/domain/service-words'
import type { WriteId } from '@/lib/operations/service-operations'

/** The customer and account of a new paykey, and what prevents it. */
export type LinkPlace = {
  customer: { id: string; name: string; status: string }
  /** The customer's account, `acct_…`; null if unknown. */
  account: string | null
  ownerWhy: string | null
  /** Why this customer cannot connect a bank account; null if they can. */
  disabledReason: string | null
}

/** Options common to all methods, as typed. Empty values use the service's defaults. */
export type LinkValues = { external_id: string; processing_method: string; sandbox_outcome: string; metadata: MetadataLine[] }

export const linkValues = (): LinkValues => ({ external_id: '', processing_method: '', sandbox_outcome: '', metadata: [] })

type LinkInput = {
  customer_id: string
  external_id?: string
  config?: { sandbox_outcome?: string; processing_method?: string }
  metadata?: Record<string, string>
}

/** Input common to all `bridge` operations. Omits empty fields. Sends an outcome in the sandbox only. */
export function linkInput(customer: string, values: LinkValues, sandbox: boolean): LinkInput {
  const { external_id, processing_method, sandbox_outcome } = values
  const config = {
    ...(sandbox && sandbox_outcome !== '' ? { sandbox_outcome } : {}),
    ...(processing_method !== '' ? { processing_method } : {}),
  }
  const metadata = metadataOf(values.metadata)
  return {
    customer_id: customer,
    ...(external_id.trim() !== '' ? { external_id: external_id.trim() } : {}),
    ...(Object.keys(config).length > 0 ? { config } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  }
}

/** Removes spaces and hyphens. Numbers are typed twice and compared, because a wrong digit sends money to another account. */
export const digitsOf = (typed: string): string => typed.replace(/[\s-]/g, '')

/** Returns an error on the second entry if the two numbers differ. */
export const twiceFault = (first: string, again: string): Record<string, string> =>
  digitsOf(first) === digitsOf(again) ? {} : { again: 'does not match the number above' }

const outcomes = {
  standard: 'Standard',
  active: 'Active',
  review: 'In review',
  rejected: 'Rejected',
}

const methods = {
  inline: 'Immediately, in the response',
  background: 'Later, in the background',
  skip: 'Skip, if the account allows it',
}

type LinkOptionsProps = { form: UseFormReturn<LinkValues>; metadata: LinkValues['metadata']; withMetadata: boolean }

const openBox = (box: HTMLDetailsElement | null) => box?.setAttribute('open', '')

/** Optional fields common to all methods. They are visible if one has an error. */
export function LinkOptions({ form, metadata, withMetadata }: LinkOptionsProps) {
  const { environment } = usePageContext()
  const { errors } = form.formState
  const faulty = Object.keys(linkValues()).some((name) => name in errors)
  return (
    <details ref={faulty ? openBox : undefined} className="group rounded border border-line bg-surface">
      <summary className="cursor-pointer px-3 py-2 font-medium text-sm">
        {environment === 'sandbox' ? 'Reference, verification, sandbox outcome' : 'Reference and verification'}
      </summary>
      <div className="grid gap-3 border-line border-t p-3">
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <TextField form={form} name="external_id" label="External ID" hint="Your own reference, optional." maxLength={100} />
          <SelectField form={form} name="processing_method" label="Verification timing" choices={methods} none="Account default" />
          {environment === 'sandbox' && (
            <SelectField form={form} name="sandbox_outcome" label="Outcome, sandbox only" choices={outcomes} none="Not set" />
          )}
        </div>
        {withMetadata && <MetadataField before={{}} lines={metadata} onChange={(lines) => setField(form, 'metadata', lines)} />}
      </div>
    </details>
  )
}

/** Operations that create a paykey or start creating one. */
type LinkId = Extract<WriteId, `bridge.${string}`>

type Options<K extends LinkId, V extends LinkValues> = Pick<
  ActionFormOptions<K, V>,
  'operation' | 'secret' | 'values' | 'schema' | 'check' | 'onDone' | 'onMade'
> & {
  place: LinkPlace
  /** Form field names that differ from the input's, by input name. */
  renames?: Readonly<Record<string, string>>
  /** Input fields specific to this method. */
  own: (values: V) => Record<string, unknown>
}

/** Form of one connection method. The draft belongs to the customer. */
export function useLinkForm<K extends LinkId, V extends LinkValues>({ place, own, check, renames = {}, ...options }: Options<K, V>) {
  const { environment } = usePageContext()
  const linkOptions: ActionFormOptions<K, V> = {
    ...options,
    target: place.customer.id,
    account: place.account,
    ownerWhy: place.ownerWhy,
    disabledReason: place.disabledReason,
    toInput: (values) => ({ ...linkInput(place.customer.id, values, environment === 'sandbox'), ...own(values) }),
    check: (values) => ({ ...metadataFaults(values), ...check?.(values) }),
    fieldOf: (reference) => inTable(renames, reference) ?? reference.replace(/^config\./, ''),
  }
  // No operation of `LinkId` requires a reason, which TypeScript cannot see because `K` is generic.
  return useActionForm<K, V>(linkOptions as ActionFormOptions<K, V> & ReasonsFor<K, V>)
}

const strong = 'font-semibold text-ink'

export function LinkSentence({ place }: { place: LinkPlace }) {
  const context = usePageContext()
  return (
    <p className="text-ink-2">
      Connects a bank account of{' '}
      <strong className={strong}>
        <OutsideText>{place.customer.name}</OutsideText>
      </strong>{' '}
      for <strong className={strong}>{place.account ? accountName(context, place.account) : 'an unknown account'}</strong> in{' '}
      <strong className={strong}>{context.environment.toUpperCase()}</strong>.
    </p>
  )
}
