'use client'

import { use } from 'react'
import { offlineReason, useOnline } from '@/components/kits/layout/browser-state'
import { useConnectionStatus } from '@/components/kits/layout/connection-status'
import { usePageContext } from '@/components/kits/layout/page-context'
import {
  PendingRecordContext,
  useProvidedRecord,
} from '@/components/kits/unreadable/unreadable-fields'
import type { PageContext } from '@/lib/client/page-context'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { whyFieldsUnreadable } from '@/lib/domain/unreadable-rules'
import type { ActionView } from '@/lib/operations/answer'
import {
  getServiceOperation,
  isOperationOf,
  type WriteId,
} from '@/lib/operations/service-operations'

type DisabledReasonOptions = {
  /** The reason why the object's account is unknown. Null if the account is known or not needed. */
  ownerWhy?: string | null
  /** The open action on the object. */
  live?: ActionView
}

function whyNotHere(
  operation: WriteId,
  { environment, integration }: Pick<PageContext, 'environment' | 'integration'>,
): string | null {
  const { only } = getServiceOperation(operation)
  if (only && only !== environment) return `Only in the ${only}.`
  return isOperationOf(operation, integration) ? null : 'A direct account has no platform.'
}

/**
 * Returns a function that returns the first reason why an operation is unavailable, or null. The
 * object's own reason (`rule`) comes last.
 */
export function useDisabledReasonGetter({
  ownerWhy = null,
  live,
}: DisabledReasonOptions): (operation: WriteId, rule: string | null) => string | null {
  const context = usePageContext()
  const { person, environment } = context
  const isOnline = useOnline()
  const providedRecord = useProvidedRecord()
  const pendingRecord = use(PendingRecordContext)
  const { keyRefused, otherPerson } = useConnectionStatus()
  const otherActionReason = live
    ? `Another action is still in progress: ${live.own ? 'you' : live.actor} asked to ${getServiceOperation(live.operation).verbPhrase}.`
    : null
  const apiKeyRefusedReason = keyRefused.includes(environment)
    ? `The payments service rejected our ${environment.toUpperCase()} API key. An admin must replace it.`
    : null
  return (operation, rule) => {
    // A requester can add a proof while an approver has a question.
    const isProofOfRequest =
      live?.state === 'awaiting_approval' && getServiceOperation(operation).body === 'file'
    const generalDisabledReason =
      (otherPerson === null ? null : `You are signed in as ${otherPerson} now. Reload the page.`) ??
      whyNotAllowed(person.roles, getServiceOperation(operation)) ??
      whyNotHere(operation, context) ??
      (isProofOfRequest ? null : otherActionReason) ??
      ownerWhy ??
      apiKeyRefusedReason ??
      (isOnline ? null : offlineReason)
    return (
      generalDisabledReason ??
      pendingRecord?.why ??
      whyFieldsUnreadable(operation, providedRecord) ??
      rule
    )
  }
}
