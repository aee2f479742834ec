import type { ReactNode } from 'react'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { buttonVariants } from '@/components/ui/button-variants'
import type { Desk } from '@/lib/client/desk'
import { filterTexts } from './filter-words'
import { ListLink } from './list-frame'
import type { ListSpec, ListView } from './list-spec'
import { pagesOf, viewHref, withoutFilters } from './list-view'

type ListEmptyProps = { desk: Desk; spec: ListSpec; view: ListView; total: number; create?: ReactNode }

/** No rows, told apart: past the end, nothing matches, a clear queue, nothing yet. */
export function ListEmpty({ desk, spec, view, total, create }: ListEmptyProps) {
  if (total > 0) return <PastTheEnd desk={desk} spec={spec} view={view} total={total} />
  if (Object.values(view.filters).some(Boolean)) return <NoneMatch desk={desk} spec={spec} view={view} />
  const { queue, empty } = view.tab
  return (
    <EmptyState
      className="lg:px-6"
      tone={queue ? 'good' : 'neutral'}
      title={queue ? 'Queue clear' : empty}
      actions={
        <>
          {!queue && create}
          <AllLink desk={desk} spec={spec} view={view} />
        </>
      }
    >
      {queue && <p>{empty}</p>}
    </EmptyState>
  )
}

/** The tab that narrows nothing, if the list has one. */
const widest = (spec: ListSpec) => spec.tabs.find((tab) => Object.keys(tab.query).length === 0)

function NoneMatch({ desk, spec, view }: Omit<ListEmptyProps, 'total'>) {
  const filters = filterTexts(spec, view)
  const where = view.tab.id === widest(spec)?.id ? `all ${spec.many}` : `${spec.many} “${view.tab.label.toLowerCase()}”`
  const clear = withoutFilters(
    spec,
    desk,
    view,
    filters.map((filter) => filter.name),
  )
  return (
    <EmptyState
      className="lg:px-6"
      title={`Nothing matches among ${where}`}
      actions={
        <>
          <ListLink href={clear} className={buttonVariants()}>
            Clear the filters
          </ListLink>
          <AllLink desk={desk} spec={spec} view={view} />
        </>
      }
    >
      <ul className="list-disc pl-4">
        {filters.map((filter) => (
          <li key={filter.name}>
            <bdi>{filter.text}</bdi>
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}

function AllLink({ desk, spec, view }: Pick<ListEmptyProps, 'desk' | 'spec' | 'view'>) {
  const all = widest(spec)
  if (!all || view.tab.id === all.id) return null
  return (
    <ListLink href={viewHref(spec, desk, view, { tab: all })} className={buttonVariants()}>
      Look in all {spec.many}
    </ListLink>
  )
}

const PastTheEnd = ({ desk, spec, view, total }: ListEmptyProps) => (
  <EmptyState
    className="lg:px-6"
    title={`Page ${view.page} is past the end`}
    actions={
      <ListLink href={viewHref(spec, desk, view, { page: pagesOf(total, view.size) })} className={buttonVariants()}>
        Go to the last page
      </ListLink>
    }
  >
    <p>
      There are {total.toLocaleString('en-US')} {spec.many} on {pagesOf(total, view.size)} pages now; some may have moved on since the link
      was made.
    </p>
  </EmptyState>
)
