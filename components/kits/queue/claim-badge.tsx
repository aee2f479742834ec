'use client'

import { useQuery } from '@tanstack/react-query'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Badge } from '@/components/ui/tone'
import { operationQuery } from '@/lib/client/query/reads'
import type { Claim, ClaimableResource } from '@/lib/operations/claims'
import type { Input } from '@/lib/operations/registry'

/** Milliseconds between renewals of the person's own claim, and between fetches of all claims. */
export const claimRefreshIntervalMs = 30_000

/**
 * Returns who works on which record of a resource. Undefined while loading or without a resource.
 * Lists and records share the query.
 */
export function useClaims(resource: ClaimableResource | undefined): readonly Claim[] | undefined {
  const { environment } = usePageContext()
  const claimsQuery = useQuery({
    ...operationQuery({ environment, account: null }, 'claims.read', {
      resource,
    } as Input<'claims.read'>),
    enabled: resource !== undefined,
    staleTime: 0,
    refetchInterval: claimRefreshIntervalMs,
  })
  return claimsQuery.data?.data
}

export const ClaimBadge = ({ claim }: { claim: Claim }) => (
  <Badge tone="moving" className="max-w-20 shrink-0">
    <ExternalText className="truncate">{claim.own ? 'You' : claim.by}</ExternalText>
    <span className="sr-only"> working on this</span>
  </Badge>
)
