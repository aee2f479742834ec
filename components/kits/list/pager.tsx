import type { ReactNode } from 'react'
import { formatUnreadableCount } from '@/components/kits/unreadable/unreadable-rows'
import { buttonVariants } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import type { PageContext } from '@/lib/client/page-context'
import { toCountText } from '@/lib/operations/list-count'
import { ListLink } from './frame'
import { formatRetentionNotice } from './list-export'
import { type ListSpec, type ListViewState, pageSizes } from './spec'
import { countPages, toViewHref } from './view'

export const PageNavigation = ({
  className = 'px-4 py-3 lg:px-6',
  children,
}: {
  className?: string
  children: ReactNode
}) => (
  <nav
    aria-label="Pages"
    className={cn('flex flex-wrap items-center gap-x-4 gap-y-2 text-ink-3 text-xs', className)}
  >
    {children}
  </nav>
)

type PreviousNextLinksProps = {
  page: number
  /** Number of pages; null if it is unknown. */
  pages: number | null
  hasNext: boolean
  hrefOf: (page: number) => string
}

export const PreviousNextLinks = ({ page, pages, hasNext, hrefOf }: PreviousNextLinksProps) =>
  (hasNext || page > 1) && (
    <span className="flex items-center gap-2">
      <PageLink href={page > 1 ? hrefOf(page - 1) : null} label="Previous" />
      <span>
        Page {page}
        {pages !== null && ` of ${pages.toLocaleString('en-US')}`}
      </span>
      <PageLink href={hasNext ? hrefOf(page + 1) : null} label="Next" />
    </span>
  )

export const PageLink = ({ href, label }: { href: string | null; label: string }) =>
  href === null ? (
    <span className={cn(buttonVariants({ size: 'small' }), 'border-line text-ink-3')}>{label}</span>
  ) : (
    <ListLink href={href} className={buttonVariants({ size: 'small' })}>
      {label}
    </ListLink>
  )

type ListPagerProps = {
  context: PageContext
  spec: ListSpec
  view: ListViewState
  shown: number
  unreadable: number
  total: number | null
}

/** If the total is unknown, a full page is assumed to have a next one. */
export function ListPager({ context, spec, view, shown, unreadable, total }: ListPagerProps) {
  const pageCount = countPages(total, view.size)
  const hasNext = pageCount === null ? shown >= view.size : view.page < pageCount
  const toChangedViewHref = (change: Partial<ListViewState>) =>
    toViewHref(spec, context, view, change)
  return (
    <PageNavigation>
      <RowRange
        first={(view.page - 1) * view.size + 1}
        shown={shown}
        unreadable={unreadable}
        total={total}
      />
      <PreviousNextLinks
        page={view.page}
        pages={pageCount}
        hasNext={hasNext}
        hrefOf={(page) => toChangedViewHref({ page })}
      />
      {(total === null || total > pageSizes[0]) && (
        <PageSizeLinks size={view.size} hrefOf={toChangedViewHref} />
      )}
    </PageNavigation>
  )
}

export const RetentionNote = ({ at }: { at: string }) => (
  <p className="px-4 pb-3 text-ink-3 text-xs lg:px-6">{formatRetentionNotice(at)}</p>
)

type RowRangeProps = { first: number; shown: number; unreadable: number; total: number | null }

const RowRange = ({ first, shown, unreadable, total }: RowRangeProps) => (
  <span>
    {first.toLocaleString('en-US')}–{(first + shown - 1).toLocaleString('en-US')} of{' '}
    {total === null ? 'an unknown number' : toCountText(total)}
    {unreadable > 0 && <span className="text-ink-2">; {formatUnreadableCount(unreadable)}</span>}
  </span>
)

type PageSizeLinksProps = { size: number; hrefOf: (change: Partial<ListViewState>) => string }

const PageSizeLinks = ({ size: current, hrefOf }: PageSizeLinksProps) => (
  <span className="ml-auto flex items-center gap-2">
    Rows
    {pageSizes.map((size) => (
      <ListLink
        key={size}
        href={hrefOf({ size })}
        aria-current={size === current ? 'true' : undefined}
        className={cn(
          'rounded-sm px-1 py-1',
          size === current ? 'font-semibold text-ink' : 'hover:text-ink hover:underline',
        )}
      >
        {size}
        <span className="sr-only"> rows a page</span>
      </ListLink>
    ))}
  </span>
)
