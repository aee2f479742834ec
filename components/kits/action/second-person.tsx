'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { read } from '@/lib/client/query/reads'
import { rolesText } from '@/lib/domain/permissions'
import type { ApprovalNeed } from '@/lib/operations/approvals'
import { governedIds } from '@/lib/operations/policies'
import { resourceOf, type WriteId } from '@/lib/operations/service-operations'

// A deletion is asked for in a form of its own, which says so there.
const elsewhere: readonly string[] = ['customers.delete']

/** Why a write that needs a second person cannot be asked for now; null where it can. */
export function whyNotAsk({ possible, second }: ApprovalNeed): string | null {
  if (possible) return null
  if (second.length === 0) return 'The approval policy blocks this.'
  return `A second person (${rolesText(second)}) must approve this, and nobody else can: an admin can grant the role to another person.`
}

/** Whether a write on an object waits for a second person, and whether there is one; undefined until that is known. */
export function useApprovalNeed(operation: WriteId, id: string, { account, enabled }: { account: string | null; enabled: boolean }) {
  const { environment } = usePageContext()
  const asked = read({ environment, account }, 'approvals.needed', { operation, target: `${resourceOf(operation)}/${id}` })
  return useQuery({ ...asked, enabled, staleTime: 0 }).data?.data
}

type Asked = { operation: WriteId; id: string; account: string | null; disabledReason: string | null }

/** That a write on an object will wait for a second person, said before anything is filled in; and why it cannot be sent, that nobody could approve it among it. */
export function useSecondPerson({ operation, id, account, disabledReason }: Asked): { notice: ReactNode; disabledReason: string | null } {
  const enabled = governedIds.includes(operation) && !elsewhere.includes(operation)
  const need = useApprovalNeed(operation, id, { account, enabled })
  if (!need || (need.possible && need.second.length === 0)) return { notice: null, disabledReason }
  const why = whyNotAsk(need)
  const says = why ?? `Another person (${rolesText(need.second)}) must approve this: it is sent once they do.`
  return {
    notice: <p className={why ? 'font-medium text-bad text-sm' : 'text-ink-2 text-sm'}>{says}</p>,
    disabledReason: disabledReason ?? why,
  }
}
