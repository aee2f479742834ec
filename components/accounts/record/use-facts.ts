'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useLoadable } from '@/components/kits/record/readings'
import type { Loadable } from '@/lib/domain/loadable'
import type { Account, AccountSettings } from '@/lib/operations/accounts.schema'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import type { Organization } from '@/lib/operations/organizations.schema'
import type { Representative } from '@/lib/operations/representatives.schema'

/** Data read beside an account. Each read can fail on its own. */
export type AccountFacts = {
  representatives: Loadable<Representative[]>
  linkedBankAccounts: Loadable<LinkedBankAccount[]>
  organization: Loadable<Organization>
  settings: Loadable<AccountSettings>
  /** Retries the failed reads. */
  again: () => void
}

/** Starts all reads in parallel. An account has few representatives and bank accounts, so one page holds them. */
export function useAccountFacts({ id, organization_id: organizationId }: Account): AccountFacts {
  const context = usePageContext()
  const ofAccount = { account_id: id, page_size: 100 }
  const representatives = useLoadable(context, 'representatives.list', ofAccount)
  const linked = useLoadable(context, 'linked_bank_accounts.list', ofAccount)
  const organization = useLoadable(
    context,
    'organizations.get',
    organizationId ? { id: organizationId } : undefined,
    'The account is in no organization.',
  )
  const settings = useLoadable(context, 'account_settings.get', { id })
  return {
    representatives: representatives.loadable,
    linkedBankAccounts: linked.loadable,
    organization: organization.loadable,
    settings: settings.loadable,
    again: () => {
      for (const reading of [representatives, linked, organization, settings]) reading.again()
    },
  }
}
