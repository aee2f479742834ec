'use client'

import { lazy } from 'react'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { Boundary } from '@/components/ui/boundary'
import { Badge } from '@/components/ui/tone'
import type { Claim, Claimable } from '@/lib/operations/claims'

const Reader = lazy(() => import('@/components/kits/queue/claims').then((module) => ({ default: module.ClaimReader })))

/** Reads the claims on a list's rows and renders nothing. Its script loads after the rows. */
export const ClaimReader = (props: { resource: Claimable; onRead: (claims: readonly Claim[]) => void }) => (
  <Boundary fallback={null}>
    <Reader {...props} />
  </Boundary>
)

export const ClaimMark = ({ claim }: { claim: Claim }) => (
  <Badge tone="moving" className="max-w-20 shrink-0">
    <OutsideText className="truncate">{claim.own ? 'You' : claim.by}</OutsideText>
    <span className="sr-only"> working on this</span>
  </Badge>
)
