'use client'

import { use } from 'react'
import { offlineReason, useOnline } from '@/components/kits/layout/browser-state'
import { useConnectionStatus } from '@/components/kits/layout/connection-status'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PendingRecordContext, useProvidedRecord } from '@/components/kits/unreadable/unreadable-fields'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { whyUnreadable } from '@/lib/domain/unreadable-rules'
import type { ActionView } from '@/lib/operations/answer'
import { serviceOperation, type WriteId } from '@/lib/operations/service-operations'

type RecordState = {
  /** The reason the object's account is unknown; null if it is known or not needed. */
  ownerWhy?: string | null
  /** The open action on the object. */
  live?: ActionView
}

/**
 * Returns a function that finds the first reason an operation is unavailable; null if there is none. Order: another person's session, role,
 * environment, open action, account, API key, connection, pending response of the service, unreadable fields, and last the object's own
 * rule (`rule`).
 */
export function useDisabledReason({ ownerWhy = null, live }: RecordState): (operation: WriteId, rule: string | null) => string | null {
  const { person, environment } = usePageContext()
  const online = useOnline()
  const record = useProvidedRecord()
  const pendingRecord = use(PendingRecordContext)
  const { keyRefused, otherPerson } = useConnectionStatus()
  const inProgressReason = live
    ? `Another action is still in progress: ${live.own ? 'you' : live.actor} asked to ${serviceOperation(live.operation).verbPhrase}.`
    : null
  const keyRefusedReason = keyRefused.includes(environment)
    ? `The payments service rejected our ${environment.toUpperCase()} API key. An admin must replace it.`
    : null
  return (operation, rule) => {
    const { only } = serviceOperation(operation)
    const environmentReason = only && only !== environment ? `Only in the ${only}.` : null
    const contextReason =
      (otherPerson === null ? null : `You are signed in as ${otherPerson} now. Reload the page.`) ??
      whyNotAllowed(person.roles, serviceOperation(operation)) ??
      environmentReason ??
      inProgressReason ??
      ownerWhy ??
      keyRefusedReason ??
      (online ? null : offlineReason)
    return contextReason ?? pendingRecord?.why ?? whyUnreadable(operation, record) ?? rule
  }
}
