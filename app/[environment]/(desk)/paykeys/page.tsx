import type { Metadata } from 'next'
import Link from 'next/link'
import { type ListPageProps, listPage } from '@/app/_pages/list-page'
import { paykeyList } from '@/components/paykeys/paykey-list'
import { type PaykeyExtras, rowOf } from '@/components/paykeys/paykey-row'
import { PaykeySplit, PaykeyTable } from '@/components/paykeys/paykey-table'
import { buttonVariants } from '@/components/ui/button-variants'
import { connectPath } from '@/lib/routes'
import { learnAccountsOf } from '@/lib/server/account-sweep'
import { paykeyExtras } from '@/lib/server/paykey-extras'

export const metadata: Metadata = { title: 'Paykeys' }

const swept = ['review', 'unblockable', 'blocked']

function page(props: ListPageProps) {
  let extras: PaykeyExtras | undefined
  return listPage(props, {
    spec: paykeyList,
    rowOf: (paykey, account, desk) => {
      extras ??= paykeyExtras(desk)
      return rowOf(paykey, account, extras)
    },
    Table: PaykeyTable,
    Split: PaykeySplit,
    learns: (paykey) => `paykeys/${paykey.id}`,
    sweep: async (desk, view) => (swept.includes(view.tab.id) ? learnAccountsOf(desk, 'paykeys to decide') : undefined),
    actions: (desk, view) => (
      <Link
        href={connectPath(desk.environment, { account: desk.account, customer: view.filters.customer_id })}
        className={buttonVariants({ size: 'small' })}
      >
        Connect a bank account
      </Link>
    ),
  })
}

export default page
