'use client'

import { lazy } from 'react'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { Boundary } from '@/components/ui/boundary'
import { Badge } from '@/components/ui/tone'
import type { Claim, Claimable } from '@/lib/operations/claims'

const Reader = lazy(() => import('@/components/kits/queue/claims').then((module) => ({ default: module.ClaimReader })))

/** Tells whoever shows rows of a resource who works on them; draws nothing, and its script comes after the rows. */
export const ClaimReader = (props: { resource: Claimable; onRead: (claims: readonly Claim[]) => void }) => (
  <Boundary fallback={null}>
    <Reader {...props} />
  </Boundary>
)

/** Who works on a row. */
export const ClaimMark = ({ claim }: { claim: Claim }) => (
  <Badge tone="moving" className="max-w-20 shrink-0">
    <OutsideText className="truncate">{claim.own ? 'You' : claim.by}</OutsideText>
    <span className="sr-only"> working on this</span>
  </Badge>
)
