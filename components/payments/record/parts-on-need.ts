'use client'

import { afterHydrationOnNeed } from '@/components/kits/record/after-hydration'
import type { Payment } from '@/lib/domain/payment-kind'
import { isUndecided } from '@/lib/domain/payment-rules'

const chain = afterHydrationOnNeed(() => import('./trail').then(({ trailParts }) => trailParts.ChainStrip))
const steps = afterHydrationOnNeed(() => import('./trail').then(({ trailParts }) => trailParts.NextSteps))

const checks = afterHydrationOnNeed(() => import('./check-list').then((module) => module.PaymentCheckList))

export const ChainStrip = chain.Part
export const NextSteps = steps.Part
export const PaymentCheckList = checks.Part

const ended = ['failed', 'reversed', 'cancelled']

/** Whether anything follows from a payment or belongs together with it; most that wait for a decision have neither. */
export const hasTrail = ({ status, related_payments }: Payment): boolean => ended.includes(status) || related_payments.length > 0

/** Sends for what not every payment shows, before its readings begin: its trail, and the checks of one that is not decided. */
export function sendForParts(payment: Payment): void {
  if (hasTrail(payment)) {
    chain.send()
    steps.send()
  }
  if (isUndecided(payment.status)) checks.send()
}
