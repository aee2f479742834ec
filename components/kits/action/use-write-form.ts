'use client'

import { useEffect, useState } from 'react'
import { type DefaultValues, type FieldErrors, type FieldValues, type Path, type Resolver, set, useForm, useWatch } from 'react-hook-form'
import type * as z from 'zod'
import { useDesk } from '@/components/kits/layout/desk-context'
import { asCallError } from '@/lib/client/call-error'
import { useWrite } from '@/lib/client/queries'
import type { ErrorItem } from '@/lib/errors'
import type { Input } from '@/lib/operations/registry'
import { rowOf, type WriteId } from '@/lib/operations/rows'
import { isDefinite } from './outcome'
import { withReason } from './with-reason'
import { draftOf, dropWrite, keepWrite, renewKey } from './write-draft'
import type { WriteFormOptions } from './write-form-options'

/** A form's write as far as its outcome concerns it: what it is, under which key, and what to do once it is settled. */
export type Making = {
  operation: WriteId
  account: string | null
  key: string
  /** It was carried out: what was typed is done with. */
  done: () => void
  /** It was certainly not: the next try is a new request. */
  renew: () => void
}

/** Fields, key, and sending of one write. What was typed outlasts errors and a closed panel; server messages stand at their fields. */
export function useWriteForm<K extends WriteId, V extends FieldValues>(given: WriteFormOptions<K, V>) {
  const options = withReason(given)
  const { operation, target, values, onOutcome, onDone } = options
  const desk = useDesk()
  const [draft] = useState(() => draftOf(operation, target, values))
  const [key, setKey] = useState(draft.key)
  const form = useForm<V>({ resolver: resolverOf(options), defaultValues: draft.values as DefaultValues<V> })
  const typed = useWatch({ control: form.control })
  const write = useWrite({ environment: desk.environment, account: options.account }, operation)
  const secret = options.secret?.join(' ') ?? ''
  useEffect(
    () => keepWrite(operation, target, { values: withoutSecrets(typed as V, secret), key }),
    [operation, target, typed, key, secret],
  )

  const fail = (cause: unknown) => {
    const error = asCallError(cause)
    if (isDefinite(error.code)) setKey(renewKey(operation, target))
    const unplaced = placeErrors(options, error.items, typed as V, (name, message) => form.setError(name, { type: 'server', message }))
    const wire = { ...error.toWire(), items: unplaced.length > 0 ? unplaced : undefined }
    onOutcome({ operation, action: error.action, error: { ...wire, requestId: error.requestId, local: error.local } })
  }
  const send = form.handleSubmit(async (filled) => {
    if (write.isPending || options.ready?.() === false) return
    onOutcome(null)
    const { correlationId, snapshot, toInput, reasonOf } = options
    const reason = reasonOf?.(filled as unknown as V)
    const input = toInput(filled as unknown as V) as Input<K>
    const ask = (idempotencyKey: string) => write.mutateAsync({ input, idempotencyKey, correlationId, snapshot, reason })
    const askAnew = (cause: unknown) => {
      // A credential was told to an earlier try of this form and lost on the way. Asking again makes nothing twice, so nobody has to.
      if (!rowOf(operation).credential || asCallError(cause).code !== 'answer_not_kept') throw cause
      const next = renewKey(operation, target)
      setKey(next)
      return ask(next)
    }
    const answer = await ask(key).catch(askAnew).catch(fail)
    if (!answer) return
    dropWrite(operation, target)
    onOutcome({ operation, action: answer.action, replayed: answer.replayed })
    onDone?.(answer)
  })
  const making: Making = {
    operation,
    account: options.account,
    key,
    done: () => dropWrite(operation, target),
    renew: () => setKey(renewKey(operation, target)),
  }
  return { form, typed: typed as V, send, pending: write.isPending, idempotencyKey: key, making }
}

function withoutSecrets<V extends FieldValues>(values: V, secret: string): V {
  if (secret === '') return values
  const kept = structuredClone(values)
  for (const name of secret.split(' ')) set(kept, name, '')
  return kept
}

const fieldOf = (options: Pick<WriteFormOptions<never, never>, 'fieldOf'>, reference: string) => options.fieldOf?.(reference) ?? reference

function resolverOf<K extends WriteId, V extends FieldValues>(options: WriteFormOptions<K, V>): Resolver<V> {
  return (values) => {
    const errors: FieldErrors<V> = {}
    const parsed = options.schema.safeParse(options.toInput(values))
    for (const issue of parsed.error?.issues ?? []) set(errors, fieldOf(options, nameOf(issue)), { type: 'input', message: issue.message })
    for (const [name, message] of Object.entries(options.check?.(values) ?? {})) set(errors, name, { type: 'check', message })
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }
}

const nameOf = (issue: z.core.$ZodIssue) => (issue.code === 'unrecognized_keys' ? (issue.keys[0] ?? '') : issue.path.join('.'))

/** Puts the service's messages at their fields; gives back those that belong to none. */
function placeErrors<V extends FieldValues>(
  options: Pick<WriteFormOptions<never, never>, 'fieldOf'>,
  items: readonly ErrorItem[],
  values: V,
  place: (name: Path<V>, message: string) => void,
): ErrorItem[] {
  return items.filter((item) => {
    const name = fieldOf(options, item.reference)
    const known = name !== '' && Object.hasOwn(values, name.split('.')[0] ?? '')
    if (known) place(name as Path<V>, item.detail)
    return !known
  })
}
