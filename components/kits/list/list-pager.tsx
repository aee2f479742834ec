import { buttonVariants } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import type { Desk } from '@/lib/client/desk'
import { ListLink } from './list-frame'
import { type ListSpec, type ListView, pageSizes } from './list-spec'
import { pagesOf, viewHref } from './list-view'

type ListPagerProps = { desk: Desk; spec: ListSpec; view: ListView; shown: number; total: number }

/** Which rows of how many, and the way to the others. */
export function ListPager({ desk, spec, view, shown, total }: ListPagerProps) {
  const first = (view.page - 1) * view.size + 1
  const pages = pagesOf(total, view.size)
  const hrefOf = (change: Partial<ListView>) => viewHref(spec, desk, view, change)
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-ink-3 text-xs lg:px-6">
      <span>
        {first.toLocaleString('en-US')}–{(first + shown - 1).toLocaleString('en-US')} of {total.toLocaleString('en-US')}
      </span>
      {pages > 1 && (
        <span className="flex items-center gap-2">
          <PageLink href={view.page > 1 ? hrefOf({ page: view.page - 1 }) : null} label="Previous" />
          <span>
            Page {view.page} of {pages.toLocaleString('en-US')}
          </span>
          <PageLink href={view.page < pages ? hrefOf({ page: view.page + 1 }) : null} label="Next" />
        </span>
      )}
      {total > pageSizes[0] && (
        <span className="ml-auto flex items-center gap-2">
          Rows
          {pageSizes.map((size) => (
            <ListLink
              key={size}
              href={hrefOf({ size })}
              aria-current={size === view.size ? 'true' : undefined}
              className={cn('rounded-sm px-1 py-1', size === view.size ? 'font-semibold text-ink' : 'hover:text-ink hover:underline')}
            >
              {size}
              <span className="sr-only"> rows a page</span>
            </ListLink>
          ))}
        </span>
      )}
    </nav>
  )
}

const PageLink = ({ href, label }: { href: string | null; label: string }) =>
  href === null ? (
    <span className={cn(buttonVariants({ size: 'small' }), 'border-line text-ink-3')}>{label}</span>
  ) : (
    <ListLink href={href} className={buttonVariants({ size: 'small' })}>
      {label}
    </ListLink>
  )
