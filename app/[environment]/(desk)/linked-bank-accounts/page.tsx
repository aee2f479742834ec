import type { Metadata } from 'next'
import Link from 'next/link'
import { type ListPageProps, listPage } from '@/app/_pages/list-page'
import { linkedList } from '@/components/linked-bank-accounts/linked-list'
import { rowOf } from '@/components/linked-bank-accounts/linked-row'
import { LinkedSplit, LinkedTable } from '@/components/linked-bank-accounts/linked-table'
import { buttonVariants } from '@/components/ui/button-variants'
import { newPath } from '@/lib/routes'

export const metadata: Metadata = { title: 'Linked bank accounts' }

const page = (props: ListPageProps) =>
  listPage(props, {
    spec: linkedList,
    rowOf: (linked) => rowOf(linked),
    Table: LinkedTable,
    Split: LinkedSplit,
    actions: (desk) => (
      <Link
        href={newPath(desk.environment, 'linked_bank_accounts', { account: desk.account })}
        className={buttonVariants({ size: 'small' })}
      >
        Link a bank account
      </Link>
    ),
  })

export default page
