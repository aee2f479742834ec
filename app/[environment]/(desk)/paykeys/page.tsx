import type { Metadata } from 'next'
import { type Found, ListPage, listRead, openListPage, startList } from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/own-page'
import { Link } from '@/components/kits/layout/link'
import type { ListRead } from '@/components/kits/list/spec'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { type PaykeyRow, paykeyList, rowOf } from '@/components/paykeys/list/list'
import { PaykeySplit, PaykeyTable } from '@/components/paykeys/list/table'
import { buttonVariants } from '@/components/ui/button-variants'
import { bankText } from '@/lib/features/paykeys/labels'
import { paykeyExtras } from '@/lib/features/paykeys/server/extras'
import type { PageContext } from '@/lib/operations/page-context'
import { connectPath } from '@/lib/routes'
import { accountsOf } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Paykeys' }

async function loadPaykeys(context: PageContext, reading: Promise<Found<'paykeys.list'>>): Promise<ListRead<PaykeyRow>> {
  const found = await reading
  if (!found.ok) return found
  const accounts = accountsOf(context, found)
  const extras = paykeyExtras(context, found.data)
  const rows = found.data.map((paykey, at) => rowOf(paykey, accounts[at] ?? null, extras))
  return listRead(found, rows, found.data.map(bankText))
}

export default async function PaykeysPage(props: PageProps) {
  const { context, view, open } = await openListPage(props, paykeyList)
  if (mustChooseAccount(context)) return <ChooseAccount context={context} path="/paykeys" many="paykeys" />
  const { reading, counts } = startList(context, paykeyList, view)
  const read = await loadPaykeys(context, reading)
  const connect = connectPath(context, { account: context.account, customer: view.filters.customer_id })
  return (
    <ListPage
      context={context}
      open={open}
      spec={paykeyList}
      view={view}
      read={read}
      counts={counts}
      Table={PaykeyTable}
      Split={PaykeySplit}
    >
      <Link href={connect} className={buttonVariants({ size: 'small' })}>
        Connect a bank account
      </Link>
    </ListPage>
  )
}
