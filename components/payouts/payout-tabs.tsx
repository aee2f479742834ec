import { Suspense } from 'react'
import { TabCount, TabLinks, tabLinkClasses } from '@/components/ui/tab-links'
import type { Desk } from '@/lib/client/desk'
import { ListLink } from './list-frame'
import { type PayoutView, payoutTabs, viewHref } from './payout-view'

/** How many payouts each tab holds under the present filters; null where it could not be counted. They arrive after the rows. */
export type TabCounts = Readonly<Record<string, Promise<number | null>>>

export const PayoutTabs = ({ desk, view, counts }: { desk: Desk; view: PayoutView; counts: TabCounts }) => (
  <TabLinks label="States" className="-mb-px min-w-0 border-b-0">
    {payoutTabs.map((tab) => (
      <ListLink
        key={tab.id}
        href={viewHref(desk.environment, desk.account, view, { tab })}
        aria-current={tab === view.tab ? 'page' : undefined}
        className={tabLinkClasses(tab === view.tab)}
      >
        {tab.label}
        <Suspense fallback={null}>
          <Count count={counts[tab.id]} />
        </Suspense>
      </ListLink>
    ))}
  </TabLinks>
)

/** A tab of zero shows no number: only what is there asks for a look. */
async function Count({ count }: { count: Promise<number | null> | undefined }) {
  const value = await count
  return value === undefined || value === 0 ? null : <TabCount value={value} />
}
