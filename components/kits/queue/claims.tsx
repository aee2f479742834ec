'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { Button, Kbd } from '@/components/ui/button'
import { isSessionOver } from '@/lib/client/connection-status'
import { useOperation } from '@/lib/client/query/writes'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { type Claim, type ClaimableResource, claimOperations } from '@/lib/operations/claims'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { claimRefreshIntervalMs, useClaims } from './claim-badge'

const claimShortcutKey = 'm'

/**
 * Returns the claim on a record, and functions to take it and give it back. `claim` is null if
 * there is none, undefined while loading.
 */
function useClaim(resource: ClaimableResource, id: string) {
  const { environment } = usePageContext()
  const claims = useClaims(resource)
  const { mutate } = useOperation<'claims.take' | 'claims.give_back'>({
    environment,
    account: null,
  })
  const takeClaim = (isTakeover: boolean) =>
    mutate({
      operation: 'claims.take',
      input: { resource, id, take_over: isTakeover },
      keepalive: true,
    })
  const giveBackClaim = () =>
    mutate({ operation: 'claims.give_back', input: { resource, id }, keepalive: true })
  const claim = claims && (claims.find((each) => each.id === id) ?? null)
  return { claim, take: takeClaim, giveBack: giveBackClaim }
}

/** Renews the person's own claim while the page is visible. Gives it back on leaving the page. */
function useClaimRenewal({ claim, take, giveBack }: ReturnType<typeof useClaim>): void {
  const isOwn = claim?.own === true
  const renewClaimIfVisible = useEffectEvent(
    () => isOwn && document.visibilityState !== 'hidden' && !isSessionOver() && take(false),
  )
  const giveBackOwnClaim = useEffectEvent(() => isOwn && !isSessionOver() && giveBack())
  useEffect(() => {
    const timer = setInterval(() => renewClaimIfVisible(), claimRefreshIntervalMs)
    const giveBackClaimOnHide = () => giveBackOwnClaim()
    addEventListener('pagehide', giveBackClaimOnHide)
    return () => {
      clearInterval(timer)
      removeEventListener('pagehide', giveBackClaimOnHide)
      giveBackOwnClaim()
    }
  }, [])
}

/** True while another person holds the claim and took it over from the person who is signed in. */
function useIsTakenOver(claim: Claim | null | undefined): boolean {
  const [before, setBefore] = useState(claim)
  const [lost, setLost] = useState(false)
  if (before !== claim) {
    setBefore(claim)
    setLost(claim?.own === false && (lost || before?.own === true))
  }
  return lost
}

function useClaimEnd(isOtherPersonsClaim: boolean, onEnded: () => void): void {
  const wasOtherPersonsClaim = useRef(false)
  const reportEnd = useEffectEvent(onEnded)
  useEffect(() => {
    if (wasOtherPersonsClaim.current && !isOtherPersonsClaim) reportEnd()
    wasOtherPersonsClaim.current = isOtherPersonsClaim
  }, [isOtherPersonsClaim])
}

type ClaimLineProps = {
  resource: ClaimableResource
  id: string
  /** The signed-in person has begun to decide: an unclaimed record is then claimed. */
  deciding: boolean
  /** Called when another person's claim ends: that person may have changed the record. */
  onEnded: () => void
}

/** Shows who works on the record (the claim). A claim never blocks a decision. */
export function ClaimLine({ resource, id, deciding, onEnded }: ClaimLineProps) {
  const { person } = usePageContext()
  const claimState = useClaim(resource, id)
  const { claim, take, giveBack } = claimState
  useClaimRenewal(claimState)
  const isTakenOver = useIsTakenOver(claim)
  useClaimEnd(claim?.own === false, onEnded)
  const canDecide =
    whyNotAllowed(person.roles, getServiceOperation(claimOperations[resource])) === null
  const canClaim = claim === null && canDecide
  const claimFreeRecord = useEffectEvent(() => take(false))
  useEffect(() => {
    if (deciding && canClaim) claimFreeRecord()
  }, [deciding, canClaim])
  const isClaimOffered = canClaim && !deciding
  useShortcut(claimShortcutKey, () => take(false), isClaimOffered, {
    group: 'Decision',
    keys: { [claimShortcutKey]: 'Claim' },
  })
  if (!claim && !isClaimOffered) return null
  return (
    <div className="ml-auto flex min-h-control max-w-full flex-wrap items-center gap-x-2 text-ink-2 text-sm">
      {claim && <ClaimText claim={claim} lost={isTakenOver} />}
      {canDecide && !(claim?.own && deciding) && (
        <Button variant="quiet" onClick={claim?.own ? giveBack : () => take(claim !== null)}>
          {getClaimButtonText(claim)}
          {isClaimOffered && <Kbd className="max-sm:hidden">{claimShortcutKey}</Kbd>}
        </Button>
      )}
    </div>
  )
}

const getClaimButtonText = (claim: Claim | null | undefined) =>
  claim ? (claim.own ? 'Release claim' : 'Take over') : 'Claim'

const ClaimText = ({ claim, lost }: { claim: Claim; lost: boolean }) => (
  <span role={lost ? 'status' : undefined}>
    {claim.own ? (
      'You’re'
    ) : (
      <ExternalText className="font-medium text-ink">{claim.by}</ExternalText>
    )}
    {lost
      ? ' took this over at '
      : claim.own
        ? ' working on this since '
        : ' is working on this since '}
    <RelativeTime at={claim.since} show="moment" />
    {lost && '. Your entries are kept.'}
  </span>
)
