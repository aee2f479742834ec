import { EmptyState } from '@/components/kits/feedback/empty-state'
import { buttonVariants } from '@/components/ui/button-variants'
import type { Desk } from '@/lib/client/desk'
import { filterTexts } from './filter-words'
import { ListLink } from './list-frame'
import { type PayoutView, pagesOf, payoutTabs, viewHref, withoutFilters } from './payout-view'

type PayoutEmptyProps = { desk: Desk; view: PayoutView; total: number }

/** No rows, told apart: past the end, nothing matches, a clear queue, nothing yet. */
export function PayoutEmpty({ desk, view, total }: PayoutEmptyProps) {
  if (total > 0) return <PastTheEnd desk={desk} view={view} total={total} />
  const filters = filterTexts(view)
  if (filters.length > 0) {
    return (
      <EmptyState
        className="lg:px-6"
        title={`Nothing matches among ${view.tab.id === 'all' ? 'all payouts' : `payouts “${view.tab.label.toLowerCase()}”`}`}
        actions={
          <>
            <ListLink
              href={withoutFilters(
                desk.environment,
                desk.account,
                view,
                filters.map((filter) => filter.name),
              )}
              className={buttonVariants()}
            >
              Clear the filters
            </ListLink>
            <AllLink desk={desk} view={view} />
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
  const clear = view.tab.id === 'hold'
  return (
    <EmptyState
      className="lg:px-6"
      tone={clear ? 'good' : 'neutral'}
      title={clear ? 'Queue clear' : view.tab.empty}
      actions={<AllLink desk={desk} view={view} />}
    >
      {clear && <p>{view.tab.empty} New holds appear here, oldest first.</p>}
    </EmptyState>
  )
}

const allTab = payoutTabs.find((tab) => tab.id === 'all')

const AllLink = ({ desk, view }: { desk: Desk; view: PayoutView }) =>
  view.tab.id === allTab?.id ? null : (
    <ListLink href={viewHref(desk.environment, desk.account, view, { tab: allTab })} className={buttonVariants()}>
      Look in all payouts
    </ListLink>
  )

const PastTheEnd = ({ desk, view, total }: PayoutEmptyProps) => (
  <EmptyState
    className="lg:px-6"
    title={`Page ${view.page} is past the end`}
    actions={
      <ListLink href={viewHref(desk.environment, desk.account, view, { page: pagesOf(total, view.size) })} className={buttonVariants()}>
        Go to the last page
      </ListLink>
    }
  >
    <p>
      There are {total.toLocaleString('en-US')} payouts on {pagesOf(total, view.size)} pages now; some may have moved on since the link was
      made.
    </p>
  </EmptyState>
)
