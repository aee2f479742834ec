'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useRelatedRead } from '@/components/kits/record/side-reads'
import type { Account } from '@/lib/operations/accounts.schema'

/** An account has few representatives and bank accounts: one page of 100 is enough for each. */
export function useAccountFacts({ id, organization_id: organizationId }: Account) {
  const context = usePageContext()
  const accountInput = { account_id: id, page_size: 100 }
  const representatives = useRelatedRead(context, 'representatives.list', accountInput)
  const linkedBankAccounts = useRelatedRead(context, 'linked_bank_accounts.list', accountInput)
  const organization = useRelatedRead(
    context,
    'organizations.get',
    organizationId ? { id: organizationId } : undefined,
    'The account is in no organization.',
  )
  const settings = useRelatedRead(context, 'account_settings.get', { id })
  return {
    representatives,
    linkedBankAccounts,
    organization,
    settings,
    again: () => {
      for (const reading of [representatives, linkedBankAccounts, organization, settings])
        reading.again()
    },
  }
}

export type AccountFacts = ReturnType<typeof useAccountFacts>
