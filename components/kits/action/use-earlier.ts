'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { readMakings } from '@/lib/client/queries'
import type { ActionView } from '@/lib/operations/answer'
import { rowOf } from '@/lib/operations/rows'
import { isOpen } from './outcome'
import type { Making } from './use-write-form'

/** An earlier request of the same kind that is not settled, and why that closes the form. */
export type Earlier = {
  action: ActionView | undefined
  why: string | null
  /** The person says that this form is about another one. */
  ignore: () => void
}

/**
 * The person's own request to make the same kind of thing, whose outcome is not known: a page that was loaded anew has an empty form and a new key, so
 * sending it could make a second one. `told` are the actions whose outcome the form tells already.
 */
export function useEarlier({ operation, account, key, renew }: Making, told: readonly (string | undefined)[]): Earlier {
  const { environment } = useDesk()
  const { path, scope, does, credential } = rowOf(operation)
  const [ignored, setIgnored] = useState<readonly string[]>([])
  // What is written to something that is there shows on its own page, where one action at a time gets through. The token of a hosted page makes
  // nothing that lasts.
  const makes = !path.includes(':') && !credential && (scope !== 'required' || account !== null)
  const query = useQuery({
    ...readMakings({ environment, account }, operation),
    enabled: makes,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.error ? 5000 : false),
  })
  const action = query.data?.data.find((each) => isOpen(each) && !told.includes(each.id) && !ignored.includes(each.id))
  const ignore = () => {
    if (!action) return
    if (action.idempotency_key === key) renew()
    setIgnored([...ignored, action.id])
  }
  if (action) return { action, ignore, why: `Your earlier request to ${does} is not settled yet.` }
  return { action, ignore, why: makes && !query.data ? unread(query.isError) : null }
}

const unread = (failed: boolean) =>
  failed
    ? 'It could not be read whether an earlier one is still open. It is tried again by itself.'
    : 'Looking whether an earlier one is still open.'
