'use client'

import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { PageContext } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import type { WireError } from '@/lib/errors'

const staleTimeMs = 60_000

type AccountChoicesState = {
  /** The accounts to choose from. Until all are fetched, only those in the page context. */
  accounts: PageContext['accounts']
  reading: boolean
  error: WireError | null
  again: (() => void) | null
}

/** Fetches the accounts if `isEnabled` is true and the page context does not contain them all. */
export function useAccountChoices(isEnabled = true): AccountChoicesState {
  const { environment, accounts, hasAllAccounts, accountsError } = usePageContext()
  const queryOptions = operationQuery({ environment, account: null }, 'account_choices.list', {})
  const { data, error, isPending, refetch } = useQuery({
    ...queryOptions,
    staleTime: staleTimeMs,
    enabled: isEnabled && !hasAllAccounts,
  })
  if (hasAllAccounts) return { accounts, reading: false, error: accountsError, again: null }
  if (data) return { accounts: data.data, reading: false, error: null, again: null }
  return {
    accounts,
    reading: isPending,
    error: error?.toWire() ?? null,
    again: () => void refetch(),
  }
}

export function AccountChoicesStatus({
  choices: { reading, error, again },
  className,
}: {
  choices: AccountChoicesState
  className?: string
}) {
  if (reading) {
    return (
      <p role="status" className={cn('text-ink-3 text-xs', className)}>
        Reading the accounts…
      </p>
    )
  }
  if (!error) return null
  const retryButton = again && (
    <Button size="small" onClick={again}>
      Try again
    </Button>
  )
  return (
    <ErrorNotice
      className={className ?? ''}
      error={error}
      what="The accounts could not be read"
      actions={retryButton}
    />
  )
}
