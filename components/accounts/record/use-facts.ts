'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useRelatedRead } from '@/components/kits/record/side-reads'
import type { Account } from '@/lib/operations/accounts.schema'

/** An account has few representatives and bank accounts: one page of 100 is enough for each. */
export function useAccountRelatedReads({ id, organization_id: organizationId }: Account) {
  const context = usePageContext()
  const accountFilter = { account_id: id, page_size: 100 }
  const representativesRead = useRelatedRead(context, 'representatives.list', accountFilter)
  const linkedBankAccountsRead = useRelatedRead(context, 'linked_bank_accounts.list', accountFilter)
  const organizationRead = useRelatedRead(
    context,
    'organizations.get',
    organizationId ? { id: organizationId } : undefined,
    'The account is in no organization.',
  )
  const settingsRead = useRelatedRead(context, 'account_settings.get', { id })
  return {
    representatives: representativesRead,
    linkedBankAccounts: linkedBankAccountsRead,
    organization: organizationRead,
    settings: settingsRead,
    again: () => {
      for (const reading of [
        representativesRead,
        linkedBankAccountsRead,
        organizationRead,
        settingsRead,
      ])
        reading.again()
    },
  }
}

export type AccountRelatedReads = ReturnType<typeof useAccountRelatedReads>
