'use client'

import { useSyncExternalStore } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { offlineReason, useOnline } from '@/components/kits/layout/use-online'
import { readTrouble, readTroubleOnServer, subscribeTrouble } from '@/lib/client/trouble'
import { type PayoutAction, whyNot } from '@/lib/domain/payout-rules'
import { whyNotAllowed } from '@/lib/domain/permissions'
import type { ActionView } from '@/lib/operations/answer'
import type { Payout } from '@/lib/operations/payouts.schema'
import { rowOf } from '@/lib/operations/rows'
import type { PayoutAccount } from './use-payout-account'

/** Why each action is closed now; null where it is open. */
export type ClosedReasons = Readonly<Record<PayoutAction, string | null>>

type Standing = { payout: Payout; paykeyStatus: string | undefined; owner: PayoutAccount; live: ActionView | undefined }

/** The first reason that holds, in the order a person could do something about it: right, open action, account, key, connection, state. */
export function useClosedReasons({ payout, paykeyStatus, owner, live }: Standing): ClosedReasons {
  const { person, amountUnit, environment } = useDesk()
  const online = useOnline()
  const standing = live
    ? `Another action is not settled yet: ${live.own ? 'you' : live.actor} asked to ${rowOf(live.operation).does}.`
    : null
  const { keyRefused } = useSyncExternalStore(subscribeTrouble, readTrouble, readTroubleOnServer)
  const locked = keyRefused.includes(environment)
    ? `The payments service refuses our key for ${environment.toUpperCase()}: an admin has to mend it.`
    : null
  const reasonOf = (action: PayoutAction) =>
    whyNotAllowed(person.roles, `payouts.${action}`) ??
    standing ??
    owner.why ??
    locked ??
    (online ? null : offlineReason) ??
    whyNot(action, payout, { paykeyStatus, unit: amountUnit })
  return { release: reasonOf('release'), hold: reasonOf('hold'), cancel: reasonOf('cancel'), authorize: reasonOf('authorize') }
}
