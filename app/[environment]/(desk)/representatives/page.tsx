import type { Metadata } from 'next'
import Link from 'next/link'
import { type ListPageProps, listPage } from '@/app/_pages/list-page'
import { representativeList } from '@/components/representatives/representative-list'
import { rowOf } from '@/components/representatives/representative-row'
import { RepresentativeSplit, RepresentativeTable } from '@/components/representatives/representative-table'
import { buttonVariants } from '@/components/ui/button-variants'
import { newPath } from '@/lib/routes'

export const metadata: Metadata = { title: 'Representatives' }

const page = (props: ListPageProps) =>
  listPage(props, {
    spec: representativeList,
    rowOf: (representative) => rowOf(representative),
    Table: RepresentativeTable,
    Split: RepresentativeSplit,
    actions: (desk) => (
      <Link href={newPath(desk.environment, 'representatives', { account: desk.account })} className={buttonVariants({ size: 'small' })}>
        New representative
      </Link>
    ),
  })

export default page
