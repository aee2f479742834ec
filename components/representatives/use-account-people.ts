'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { useFact } from '@/components/kits/record/use-fact'
import { relationshipWarnings } from '@/lib/domain/representative-rules'
import type { RepresentativeValues } from './representative-values'

/** What should be known of the others of an account (a bare id) before a relationship is sent. Nothing is said of what could not be read. */
export function useRelationshipWarnings({ account_id: account, relationship }: RepresentativeValues, self?: string): string[] {
  const desk = useDesk()
  const { fact } = useFact(desk, 'representatives.list', account === '' ? undefined : { account_id: account, page_size: 100 })
  const { percent_ownership: percent, ...ticks } = relationship
  return fact.state === 'known' ? relationshipWarnings({ ...ticks, percent }, fact.value, self) : []
}
