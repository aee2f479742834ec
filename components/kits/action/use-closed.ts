'use client'

import { useSyncExternalStore } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { offlineReason, useOnline } from '@/components/kits/layout/use-online'
import { readTrouble, readTroubleOnServer, subscribeTrouble } from '@/lib/client/trouble'
import { whyNotAllowed } from '@/lib/domain/permissions'
import type { ActionView } from '@/lib/operations/answer'
import { rowOf, type WriteId } from '@/lib/operations/rows'

type Standing = {
  /** Why the object's account is not known; null where it is, or where none is needed. */
  ownerWhy?: string | null
  /** The action on the object that is not settled yet. */
  live?: ActionView
}

/**
 * Gives the first reason that closes an operation, in the order a person could do something about it: right, environment, open action,
 * account, key, connection, and last what the object itself says (`rule`). Null where it is open.
 */
export function useClosed({ ownerWhy = null, live }: Standing): (operation: WriteId, rule: string | null) => string | null {
  const { person, environment } = useDesk()
  const online = useOnline()
  const { keyRefused } = useSyncExternalStore(subscribeTrouble, readTrouble, readTroubleOnServer)
  const standing = live
    ? `Another action is not settled yet: ${live.own ? 'you' : live.actor} asked to ${rowOf(live.operation).does}.`
    : null
  const locked = keyRefused.includes(environment)
    ? `The payments service refuses our key for ${environment.toUpperCase()}: an admin has to mend it.`
    : null
  return (operation, rule) => {
    const { only } = rowOf(operation)
    const elsewhere = only && only !== environment ? `Only in the ${only}.` : null
    return whyNotAllowed(person.roles, operation) ?? elsewhere ?? standing ?? ownerWhy ?? locked ?? (online ? null : offlineReason) ?? rule
  }
}
