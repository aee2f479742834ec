import { DocTable } from '@/sandbox/store/doc-table'
import type { Store } from '@/sandbox/store/store'
import type { Account, AccountSecret } from './account'

/** All accounts; the free search covers names, reference and id. Other tables refer to an account's row number as `account`. */
export const accountTable = (store: Store) =>
  new DocTable<Account, AccountSecret>(store, {
    name: 'accounts',
    columns: {
      type: { kind: 'TEXT', of: (account) => account.type },
      status: { kind: 'TEXT', of: (account) => account.status },
      external_id: { kind: 'TEXT', of: (account) => account.external_id },
      organization_id: { kind: 'TEXT', of: (account) => account.organization_id },
      name: { kind: 'TEXT', of: (account) => account.business_profile.name.toLowerCase() },
      created_at: { kind: 'TEXT', of: (account) => account.created_at },
    },
    search: ({ business_profile: { name, legal_name }, external_id, id }) => [name, legal_name, external_id, id].join(' '),
  })

export type AccountTable = ReturnType<typeof accountTable>
