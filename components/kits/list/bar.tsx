import type { ReactNode } from 'react'
import { pageTitleClasses } from '@/components/kits/layout/page-header'
import { TabLinks } from '@/components/ui/tab-links'

/** A list fills the window below the bars at the top. Its bar finds out here if a row is open. */
export const listClasses = 'group/list -mx-4 -mb-12 flex flex-col lg:-mx-6 lg:h-[calc(100%+3rem)]'

type ListBarProps = {
  title: string
  /** The tabs and their name for screen readers. Undefined if there is only one. */
  tabs?: { label: string; links: ReactNode } | undefined
  /** Links to create a record. */
  actions?: ReactNode
  filters?: ReactNode
  views?: ReactNode
  /** Numbers and times. They change while the list is open, so they never wrap. */
  status: ReactNode
  tools: ReactNode
  /** The active filters, on a line of their own. */
  chips?: ReactNode
}

/**
 * The lines above a list. In windows under 1024 px an open row replaces the list and hides them,
 * but the page keeps its title for screen readers.
 */
export const ListBar = ({
  title,
  tabs,
  actions,
  filters,
  views,
  status,
  tools,
  chips,
}: ListBarProps) => (
  <>
    <div className="@container shrink-0 border-line border-b max-lg:group-has-data-record-open/list:hidden">
      <header className="flex items-center gap-5 max-sm:gap-3 border-line border-b px-4 lg:px-6">
        <div className="shrink-0 py-2 max-sm:max-w-3/5">
          <h1 className={pageTitleClasses}>{title}</h1>
        </div>
        {tabs && (
          <TabLinks label={tabs.label} className="-mb-px min-w-0 self-end border-b-0">
            {tabs.links}
          </TabLinks>
        )}
        {actions && <div className="ml-auto flex shrink-0 items-center gap-2">{actions}</div>}
      </header>
      <div className="flex items-center gap-x-3 px-4 py-1 @max-[52rem]:flex-wrap @max-[52rem]:gap-y-1 lg:px-6">
        {filters}
        <div className="flex min-w-0 flex-1 items-center gap-2 @max-[52rem]:basis-full">
          {views}
          <div className="ml-auto flex min-w-0 items-center gap-2 overflow-hidden whitespace-nowrap p-1 text-ink-3 text-xs">
            {status}
          </div>
          <div className="flex shrink-0 items-center gap-1 print:hidden">{tools}</div>
        </div>
      </div>
      {chips}
    </div>
    <h1 className="sr-only hidden max-lg:group-has-data-record-open/list:block">{title}</h1>
  </>
)
