'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { useFact } from '@/components/kits/record/use-fact'
import type { Fact } from '@/lib/domain/fact'
import type { AccountSettings } from '@/lib/operations/account-settings.schema'
import type { Account } from '@/lib/operations/accounts.schema'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import type { Organization } from '@/lib/operations/organizations.schema'
import type { Representative } from '@/lib/operations/representatives.schema'

/** What is read beside an account, each on its own, so that one that fails takes nothing else with it. */
export type AccountFacts = {
  representatives: Fact<Representative[]>
  linkedBankAccounts: Fact<LinkedBankAccount[]>
  organization: Fact<Organization>
  settings: Fact<AccountSettings>
  /** Reads once more what failed. */
  again: () => void
}

/** Reads them all at once. An account has a handful of people and at most a few bank accounts, so one page holds them. */
export function useAccountFacts({ id, organization_id: organizationId }: Account): AccountFacts {
  const desk = useDesk()
  const ofAccount = { account_id: id, page_size: 100 }
  const representatives = useFact(desk, 'representatives.list', ofAccount)
  const linked = useFact(desk, 'linked_bank_accounts.list', ofAccount)
  const organization = useFact(desk, 'organizations.get', organizationId ? { id: organizationId } : undefined, 'It is in no organization.')
  const settings = useFact(desk, 'account_settings.get', { id })
  return {
    representatives: representatives.fact,
    linkedBankAccounts: linked.fact,
    organization: organization.fact,
    settings: settings.fact,
    again: () => {
      for (const each of [representatives, linked, organization, settings]) each.again()
    },
  }
}
