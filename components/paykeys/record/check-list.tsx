'use client'

import { useNow } from '@/components/kits/layout/browser-state'
import { usePageContext } from '@/components/kits/layout/page-context'
import { CheckResultList } from '@/components/kits/record/check-list'
import type { RecordContentProps } from '@/components/kits/record/record-panel'
import type { CheckResult } from '@/lib/domain/check'
import { createPaykeyChecks } from '@/lib/features/paykeys/checks'
import type { usePaykeyRelatedReads } from './use-facts'

export type PaykeyCheckData = Pick<RecordContentProps<'paykeys.get'>, 'answer' | 'actions'> & {
  facts: ReturnType<typeof usePaykeyRelatedReads>
}

export function usePaykeyChecks({ answer, actions, facts }: PaykeyCheckData): CheckResult[] {
  const { amountUnit: unit } = usePageContext()
  return createPaykeyChecks({
    paykey: answer.data,
    readAt: answer.meta.read_at ?? '',
    now: useNow(),
    unit,
    review: facts.review,
    customer: facts.customer,
    alike: facts.alike,
    actions,
  })
}

export const PaykeyCheckList = (props: PaykeyCheckData) => (
  <CheckResultList checks={usePaykeyChecks(props)} />
)
