'use client'

import { useQuery } from '@tanstack/react-query'
import type { DeskScope } from '@/lib/client/desk'
import { read } from '@/lib/client/queries'
import type { AnswerMeta } from '@/lib/client/request'
import { type Fact, known, missing } from '@/lib/domain/fact'
import type { Input, Output } from '@/lib/operations/registry'
import type { ReadId } from '@/lib/operations/rows'

/** A reading beside a record, on its own, so that one that fails takes nothing else with it. `again` reads once more what failed. */
export type FactOf<T> = { fact: Fact<T>; meta: AnswerMeta | undefined; again: () => void }

/** One read as a fact; without an input it is missing for the reason given, or on its way where there is none. */
export function useFact<K extends ReadId>(scope: DeskScope, id: K, input: Input<K> | undefined, why?: string): FactOf<Output<K>> {
  const query = useQuery({ ...read(scope, id, input ?? ({} as Input<K>)), enabled: input !== undefined })
  const again = () => void (query.isError && query.refetch())
  const meta = query.data?.meta
  if (query.data) return { fact: known(query.data.data, meta?.read_at ?? ''), meta, again }
  if (query.error) return { fact: missing(`Could not be read: ${query.error.message}`), meta, again }
  return { fact: input === undefined && why !== undefined ? missing(why) : { state: 'loading' }, meta, again }
}
