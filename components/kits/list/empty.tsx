import type { ReactNode } from 'react'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { listActiveFilterNames } from '@/components/kits/list/filters/filter-texts'
import { FilterTexts } from '@/components/kits/list/filters/filters'
import { buttonVariants } from '@/components/ui/button-variants'
import type { PageContext } from '@/lib/client/page-context'
import { ListLink } from './frame'
import type { ListSpec, ListViewState } from './spec'
import { countPages, toHrefWithoutFilters, toViewHref } from './view'

type ListEmptyProps = {
  context: PageContext
  spec: ListSpec
  view: ListViewState
  total: number | null
  create?: ReactNode
}

export function ListEmpty({ context, spec, view, total, create }: ListEmptyProps) {
  if (total === null ? view.page > 1 : total > 0)
    return <PastLastPageNotice context={context} spec={spec} view={view} total={total} />
  if (listActiveFilterNames(spec, view).length > 0)
    return <NoMatchNotice context={context} spec={spec} view={view} />
  const { queue, empty } = view.tab
  const [title, ...explanation] = queue ? ['All caught up', empty] : empty.split(/(?<=\.) /)
  return (
    <EmptyState
      className="px-4 lg:px-6"
      tone={queue ? 'good' : 'neutral'}
      title={title?.replace(/\.$/, '')}
      actions={
        <>
          {!queue && create}
          <AllRowsLink context={context} spec={spec} view={view} />
        </>
      }
    >
      {explanation.length > 0 && <p>{explanation.join(' ')}</p>}
    </EmptyState>
  )
}

const findAllRowsTab = (spec: ListSpec) =>
  spec.tabs.find((tab) => Object.keys(tab.query).length === 0)

function NoMatchNotice({ context, spec, view }: Omit<ListEmptyProps, 'total'>) {
  const searchedRowsText =
    view.tab.id === findAllRowsTab(spec)?.id
      ? `all ${spec.many}`
      : `${spec.many} “${view.tab.label}”`
  const clearFiltersHref = toHrefWithoutFilters(
    spec,
    context,
    view,
    listActiveFilterNames(spec, view),
  )
  return (
    <EmptyState
      className="px-4 lg:px-6"
      title={`Nothing matches among ${searchedRowsText}`}
      actions={
        <>
          <ListLink href={clearFiltersHref} className={buttonVariants()}>
            Clear the filters
          </ListLink>
          <AllRowsLink context={context} spec={spec} view={view} />
        </>
      }
    >
      <FilterTexts spec={spec} view={view} />
    </EmptyState>
  )
}

function AllRowsLink({ context, spec, view }: Pick<ListEmptyProps, 'context' | 'spec' | 'view'>) {
  const allRowsTab = findAllRowsTab(spec)
  if (!allRowsTab || view.tab.id === allRowsTab.id) return null
  return (
    <ListLink
      href={toViewHref(spec, context, view, { tab: allRowsTab })}
      className={buttonVariants()}
    >
      Search all {spec.many}
    </ListLink>
  )
}

/** Links to the last page. If the total is unknown, it links to the page before this one. */
function PastLastPageNotice({ context, spec, view, total }: ListEmptyProps) {
  const lastPage = countPages(total, view.size) ?? view.page - 1
  return (
    <EmptyState
      className="px-4 lg:px-6"
      title={`Page ${view.page} is past the end`}
      actions={
        <ListLink
          href={toViewHref(spec, context, view, { page: lastPage })}
          className={buttonVariants()}
        >
          Go to the {total === null ? 'page before' : 'last page'}
        </ListLink>
      }
    >
      <p>
        {total === null
          ? `The service does not say how many ${spec.many} there are.`
          : `The list now has ${total.toLocaleString('en-US')} ${total === 1 ? spec.one : spec.many} on ${lastPage === 1 ? '1 page' : `${lastPage} pages`}; some may have changed since the link was created.`}
      </p>
    </EmptyState>
  )
}
