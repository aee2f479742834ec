'use client'

import dynamic from 'next/dynamic'
import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { FormSkeleton } from '@/components/kits/layout/page-skeletons'
import { AccountLinks } from '@/components/kits/record/choose-account'
import { useOwnerAccount } from '@/components/kits/record/side-reads'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { belongsToPlatform } from '@/lib/client/page-context'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { foldText } from '@/lib/domain/text-forms'
import { paymentNouns } from '@/lib/features/payments/labels'
import { isUuid } from '@/lib/formats'
import { newRecordPath } from '@/lib/routes'

/**
 * The page to choose an account, because a payment belongs to one account. `why` is why the account
 * could not be looked up, or null.
 */
type AccountPickerProps = { kind: PaymentKind; paykey: string | null; why: string | null }

function NewPaymentAccountPicker({ kind, paykey, why }: AccountPickerProps) {
  const context = usePageContext()
  const { resource, one } = paymentNouns[kind]
  const [typedText, setTypedText] = useState('')
  const searchText = foldText(typedText)
  const matchingAccounts = context.accounts.filter(
    ({ id, name }) => foldText(name).includes(searchText) || id.includes(searchText),
  )
  return (
    <div className={pageClasses.text}>
      <PageHeader title={`New ${one}`} meta={`in ${context.environment.toUpperCase()}`} />
      {why !== null && <p className="text-ink-2">{why}</p>}
      <Field
        label="Which account?"
        hint="A payment belongs to one account and counts toward its limits."
      >
        {(control) => (
          <Input
            {...control}
            type="search"
            autoComplete="off"
            placeholder="Name or ID"
            value={typedText}
            onChange={(event) => setTypedText(event.target.value)}
          />
        )}
      </Field>
      {context.accountsError && (
        <ErrorNotice error={context.accountsError} what="The accounts could not be read" />
      )}
      <AccountLinks
        accounts={matchingAccounts}
        hrefOf={(account) => newRecordPath(context, resource, { account, paykey })}
        className="sm:grid-cols-2"
      />
      {matchingAccounts.length === 0 && !context.accountsError && (
        <p className="text-ink-3">No account matches.</p>
      )}
    </div>
  )
}

// Rendered in the browser only: the server would create a different idempotency key.
const NewPaymentForm = dynamic(
  () => import('./new-payment-form').then((module) => module.NewPaymentForm),
  {
    ssr: false,
    loading: FormSkeleton,
  },
)

/** The URL parameter `paykey` preselects the bank account. */
export function NewPayment({ kind }: { kind: PaymentKind }) {
  const context = usePageContext()
  const paykeyParam = useSearchParams().get('paykey')?.toLowerCase() ?? ''
  const paykeyId = isUuid(paykeyParam) ? paykeyParam : null
  const isOfPlatform = belongsToPlatform(context, paymentNouns[kind].resource)
  const account = isOfPlatform ? null : context.account
  if (account !== null || isOfPlatform)
    return <NewPaymentForm key={account} kind={kind} account={account} paykey={paykeyId} />
  // In a marketplace, a bank account can pay any account.
  if (paykeyId === null || belongsToPlatform(context, 'paykeys'))
    return <NewPaymentAccountPicker kind={kind} paykey={paykeyId} why={null} />
  return <NewPaymentForPaykey kind={kind} paykey={paykeyId} />
}

/**
 * Finds the account that the bank account of the URL belongs to, then shows the form. If it is not
 * found, the person chooses it.
 */
function NewPaymentForPaykey({ kind, paykey }: { kind: PaymentKind; paykey: string }) {
  const ownerAccount = useOwnerAccount('paykeys', paykey, null, 'bank account')
  if (ownerAccount.of !== 'unknown')
    return <NewPaymentForm kind={kind} account={ownerAccount.account} paykey={paykey} />
  if (ownerAccount.finding) return <FormSkeleton />
  return <NewPaymentAccountPicker kind={kind} paykey={paykey} why={ownerAccount.why} />
}
