'use client'

import Link from 'next/link'
import { useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { useDesk } from '@/components/kits/layout/desk-context'
import { PageHeader } from '@/components/kits/layout/page-header'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { newPath } from '@/lib/routes'
import { paymentNouns } from './payment-nouns'

/** Where the whole platform is in scope: money is moved for one account, so that is named first. `why` says what was tried before. */
export function PickAccount({ kind, why }: { kind: PaymentKind; why: string | null }) {
  const desk = useDesk()
  const { resource, one } = paymentNouns[kind]
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = desk.accounts.filter(({ id, name }) => name.toLowerCase().includes(wanted) || id.includes(wanted))
  return (
    <div className="mx-auto grid max-w-4xl gap-3 pt-2">
      <PageHeader title={`New ${one}`} meta={`in ${desk.environment.toUpperCase()}`} />
      {why !== null && <p className="text-ink-2">{why}</p>}
      <Field label="For which account?" hint="Money moves for one account, within its limits.">
        {(control) => (
          <Input
            {...control}
            type="search"
            autoComplete="off"
            placeholder="Name or id"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {desk.accountsError && <ErrorNotice error={desk.accountsError} what="The accounts could not be read" />}
      <ul aria-label="Accounts" className="grid gap-1 sm:grid-cols-2">
        {found.map((account) => (
          <li key={account.id}>
            <Link
              href={newPath(desk.environment, resource, { account: account.id })}
              className="flex min-h-10 items-center justify-between gap-3 rounded border border-line bg-surface px-3 text-ink hover:bg-sunken"
            >
              <bdi className="truncate font-medium">{account.name}</bdi>
              <span className="text-ink-3 text-xs">{account.status}</span>
            </Link>
          </li>
        ))}
      </ul>
      {found.length === 0 && !desk.accountsError && <p className="text-ink-3">No account matches.</p>}
    </div>
  )
}
