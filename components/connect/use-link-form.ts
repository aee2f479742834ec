'use client'

import { useState } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'
import { useClosed } from '@/components/kits/action/use-closed'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import type { WriteFormOptions } from '@/components/kits/action/write-form-options'
import { useDesk } from '@/components/kits/layout/desk-context'
import { newCorrelationId } from '@/lib/client/keys'
import type { WriteId } from '@/lib/operations/rows'
import { type LinkValues, linkFaults, linkInput } from './link-values'
import type { LinkPlace } from './place'

/** The ways to make a paykey, or to begin making one. */
export type LinkId = Extract<WriteId, `bridge.${string}`>

type Options<K extends LinkId, V extends LinkValues> = Pick<
  WriteFormOptions<K, V>,
  'operation' | 'secret' | 'values' | 'schema' | 'check' | 'onDone'
> & {
  place: LinkPlace
  /** Fields that have another name here than in the input, by the input's name. */
  renames?: Readonly<Record<string, string>>
  /** The fields of this way, beside those that every way has. */
  own: (values: V) => Record<string, unknown>
}

/** One way of connecting as a form: its fields, its outcome, and why it cannot be sent. The draft is the customer's. */
export function useLinkForm<K extends LinkId, V extends LinkValues>({ place, own, check, renames = {}, ...options }: Options<K, V>) {
  const { environment } = useDesk()
  const [correlationId] = useState(newCorrelationId)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const closed = useClosed({ ownerWhy: place.ownerWhy })(options.operation, place.closed)
  const write = useWriteForm<K, V>({
    ...options,
    target: place.customer.id,
    account: place.account,
    correlationId,
    toInput: (values) => ({ ...linkInput(place.customer.id, values, environment === 'sandbox'), ...own(values) }),
    check: (values) => ({ ...linkFaults(values), ...check?.(values) }),
    fieldOf: (reference) => renames[reference] ?? reference.replace(/^config\./, ''),
    onOutcome: setOutcome,
  })
  return { ...write, outcome, setOutcome, closed }
}
