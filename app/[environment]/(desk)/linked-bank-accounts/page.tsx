import type { Metadata } from 'next'
import { ListPage, listRead, openListPage, startList } from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/own-page'
import { linkedList, toLinkedRow } from '@/components/accounts/linked-bank-accounts/list/list'
import { LinkedSplit, LinkedTable } from '@/components/accounts/linked-bank-accounts/list/table'
import { Link } from '@/components/kits/layout/link'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { buttonVariants } from '@/components/ui/button-variants'
import { newPath } from '@/lib/routes'

export const metadata: Metadata = { title: 'Linked bank accounts' }

export default async function LinkedBankAccountsPage(props: PageProps) {
  const { context, view, open } = await openListPage(props, linkedList)
  if (mustChooseAccount(context)) return <ChooseAccount context={context} path="/linked-bank-accounts" many="linked bank accounts" />
  const { reading, counts } = startList(context, linkedList, view)
  const result = await reading
  const read = result.ok ? listRead(result, result.data.map(toLinkedRow)) : result
  return (
    <ListPage
      context={context}
      open={open}
      spec={linkedList}
      view={view}
      read={read}
      counts={counts}
      Table={LinkedTable}
      Split={LinkedSplit}
    >
      <Link href={newPath(context, 'linked_bank_accounts', { account: context.account })} className={buttonVariants({ size: 'small' })}>
        Link a bank account
      </Link>
    </ListPage>
  )
}
