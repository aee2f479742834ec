import type { Metadata } from 'next'
import { ListPage, prepareListPage, startListReads, toListRowsResult } from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/open-page'
import {
  representativeList,
  toRepresentativeRow,
} from '@/components/accounts/representatives/list/list'
import {
  RepresentativeSplitView,
  RepresentativeTable,
} from '@/components/accounts/representatives/list/table'
import { CreateLink } from '@/components/kits/list/create-link'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { newRecordPath } from '@/lib/routes'

export const metadata: Metadata = { title: 'Representatives' }

export default async function RepresentativesPage(props: PageProps) {
  const { context, view, open } = await prepareListPage(props, representativeList)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/representatives" many="representatives" />
  const { reading, counts } = startListReads(context, representativeList, view)
  const listResult = await reading
  const representativeRowsResult = listResult.ok
    ? toListRowsResult(listResult, listResult.data.map(toRepresentativeRow))
    : listResult
  return (
    <ListPage
      context={context}
      open={open}
      spec={representativeList}
      view={view}
      read={representativeRowsResult}
      counts={counts}
      Table={RepresentativeTable}
      Split={RepresentativeSplitView}
    >
      <CreateLink href={newRecordPath(context, 'representatives', { account: context.account })}>
        New representative
      </CreateLink>
    </ListPage>
  )
}
