'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { newPath } from '@/lib/routes'
import { paymentNouns } from './payment-nouns'
import { paymentOperations } from './payment-operations'

/** The way to make a new payment, from its list; closed with the reason for who may not. */
export function NewPaymentLink({ kind }: { kind: PaymentKind }) {
  const desk = useDesk()
  const { resource, one } = paymentNouns[kind]
  const why = whyNotAllowed(desk.person.roles, paymentOperations[kind].create)
  if (why !== null) {
    return (
      <Button size="small" disabledReason={why}>
        New {one}
      </Button>
    )
  }
  return (
    <Link href={newPath(desk.environment, resource, { account: desk.account })} className={buttonVariants({ size: 'small' })}>
      New {one}
    </Link>
  )
}
