'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { Button, Kbd } from '@/components/ui/button'
import { isSessionOver } from '@/lib/client/connection-status'
import { useOperation } from '@/lib/client/query/writes'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { type Claim, type ClaimableResource, claimOperations } from '@/lib/operations/claims'
import { serviceOperation } from '@/lib/operations/service-operations'
import { claimInterval, useClaims } from './claim-badge'

const claimKey = 'm'

/** Returns the claim on a record, and the functions that take it and give it back. `claim` is undefined while loading. */
function useClaim(resource: ClaimableResource, id: string) {
  const { environment } = usePageContext()
  const claims = useClaims(resource)
  const { mutate } = useOperation<'claims.take' | 'claims.give_back'>({ environment, account: null })
  const takeClaim = (takeOver: boolean) =>
    mutate({ operation: 'claims.take', input: { resource, id, take_over: takeOver }, keepalive: true })
  const giveBackClaim = () => mutate({ operation: 'claims.give_back', input: { resource, id }, keepalive: true })
  const claim = claims && (claims.find((each) => each.id === id) ?? null)
  return { claim, take: takeClaim, giveBack: giveBackClaim }
}

/** Renews the person's own claim while the page is visible. Gives the claim back when the person leaves the page. */
function useClaimRenewal({ claim, take, giveBack }: ReturnType<typeof useClaim>): void {
  const isOwn = claim?.own === true
  const renewIfVisible = useEffectEvent(() => isOwn && document.visibilityState !== 'hidden' && !isSessionOver() && take(false))
  const giveBackIfOwn = useEffectEvent(() => isOwn && !isSessionOver() && giveBack())
  useEffect(() => {
    const timer = setInterval(() => renewIfVisible(), claimInterval)
    const giveBackOnHide = () => giveBackIfOwn()
    addEventListener('pagehide', giveBackOnHide)
    return () => {
      clearInterval(timer)
      removeEventListener('pagehide', giveBackOnHide)
      giveBackIfOwn()
    }
  }, [])
}

/** True from when another person took over the reader's claim until the reader has the claim again. */
function useIsTakenOver(claim: Claim | null | undefined): boolean {
  const [before, setBefore] = useState(claim)
  const [lost, setLost] = useState(false)
  if (before !== claim) {
    setBefore(claim)
    setLost(claim?.own === false && (lost || before?.own === true))
  }
  return lost
}

/** Calls `onEnded` when a claim of another person ends. */
function useClaimEnd(isTheirs: boolean, onEnded: () => void): void {
  const wasTheirs = useRef(false)
  const reportEnd = useEffectEvent(onEnded)
  useEffect(() => {
    if (wasTheirs.current && !isTheirs) reportEnd()
    wasTheirs.current = isTheirs
  }, [isTheirs])
}

type ClaimLineProps = {
  resource: ClaimableResource
  id: string
  /** True if the reader has begun to decide. An unclaimed record is then claimed. */
  deciding: boolean
  /** Called when a claim of another person ends, because that person may have changed the record. */
  onEnded: () => void
}

/** States who has claimed a waiting record, with a button to claim it or give it back. Claims never block a decision. */
export function ClaimLine({ resource, id, deciding, onEnded }: ClaimLineProps) {
  const { person } = usePageContext()
  const claimState = useClaim(resource, id)
  const { claim, take, giveBack } = claimState
  useClaimRenewal(claimState)
  const isTakenOver = useIsTakenOver(claim)
  useClaimEnd(claim?.own === false, onEnded)
  const canDecide = whyNotAllowed(person.roles, serviceOperation(claimOperations[resource])) === null
  const isFree = claim === null && canDecide
  const claimRecord = useEffectEvent(() => take(false))
  useEffect(() => {
    if (deciding && isFree) claimRecord()
  }, [deciding, isFree])
  const isOffered = isFree && !deciding
  useShortcut(claimKey, () => take(false), isOffered, { group: 'Decision', keys: { [claimKey]: 'Claim' } })
  if (!claim && !isOffered) return null
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-2 text-ink-2 text-sm">
      {claim && <ClaimText claim={claim} lost={isTakenOver} />}
      {canDecide && !(claim?.own && deciding) && (
        <Button size="small" variant="quiet" onClick={claim?.own ? giveBack : () => take(claim !== null)}>
          {getClaimButtonText(claim)}
          {isOffered && <Kbd className="max-sm:hidden">{claimKey}</Kbd>}
        </Button>
      )}
    </div>
  )
}

const getClaimButtonText = (claim: Claim | null | undefined) => (claim ? (claim.own ? 'Release claim' : 'Take over') : 'Claim')

const ClaimText = ({ claim, lost }: { claim: Claim; lost: boolean }) => (
  <span role={lost ? 'status' : undefined}>
    {claim.own ? 'You’re' : <OutsideText className="font-medium text-ink">{claim.by}</OutsideText>}
    {lost ? ' took this over at ' : claim.own ? ' working on this since ' : ' is working on this since '}
    <RelativeTime at={claim.since} show="moment" />
    {lost && '. Your entries are kept.'}
  </span>
)
