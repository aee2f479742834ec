import type { Metadata } from 'next'
import {
  ListPage,
  type ListResult,
  openListPage,
  startListReads,
  toListRead,
} from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/open-page'
import { Link } from '@/components/kits/layout/link'
import type { ListRead } from '@/components/kits/list/spec'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { type PaykeyRow, paykeyList, toPaykeyRow } from '@/components/paykeys/list/list'
import { PaykeySplit, PaykeyTable } from '@/components/paykeys/list/table'
import { buttonVariants } from '@/components/ui/button-variants'
import { bankAccountText } from '@/lib/features/paykeys/labels'
import { loadPaykeyExtras } from '@/lib/features/paykeys/server/extras'
import type { PageContext } from '@/lib/operations/page-context'
import { connectPath } from '@/lib/routes'
import { listRowAccounts } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Paykeys' }

async function loadPaykeys(
  context: PageContext,
  resultPromise: Promise<ListResult<'paykeys.list'>>,
): Promise<ListRead<PaykeyRow>> {
  const result = await resultPromise
  if (!result.ok) return result
  const accounts = listRowAccounts(context, result)
  const extras = loadPaykeyExtras(context, result.data)
  const rows = result.data.map((paykey, at) => toPaykeyRow(paykey, accounts[at] ?? null, extras))
  return toListRead(result, rows, result.data.map(bankAccountText))
}

export default async function PaykeysPage(props: PageProps) {
  const { context, view, open } = await openListPage(props, paykeyList)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/paykeys" many="paykeys" />
  const { reading, counts } = startListReads(context, paykeyList, view)
  const paykeysRead = await loadPaykeys(context, reading)
  const connectHref = connectPath(context, {
    account: context.account,
    customer: view.filters.customer_id,
  })
  return (
    <ListPage
      context={context}
      open={open}
      spec={paykeyList}
      view={view}
      read={paykeysRead}
      counts={counts}
      Table={PaykeyTable}
      Split={PaykeySplit}
    >
      <Link href={connectHref} className={buttonVariants({ size: 'small' })}>
        Connect a bank account
      </Link>
    </ListPage>
  )
}
