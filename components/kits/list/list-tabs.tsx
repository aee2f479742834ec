import { Suspense } from 'react'
import { TabCount, TabLinks, tabLinkClasses } from '@/components/ui/tab-links'
import type { Desk } from '@/lib/client/desk'
import { ListLink } from './list-frame'
import type { ListSpec, ListView } from './list-spec'
import { viewHref } from './list-view'

/** How many rows each tab holds under the present filters; null where it could not be counted. They arrive after the rows. */
export type TabCounts = Readonly<Record<string, Promise<number | null>>>

export const ListTabs = ({ desk, spec, view, counts }: { desk: Desk; spec: ListSpec; view: ListView; counts: TabCounts }) => (
  <TabLinks label="States" className="-mb-px min-w-0 border-b-0">
    {spec.tabs.map((tab) => (
      <ListLink
        key={tab.id}
        href={viewHref(spec, desk, view, { tab })}
        aria-current={tab.id === view.tab.id ? 'page' : undefined}
        className={tabLinkClasses(tab.id === view.tab.id)}
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
