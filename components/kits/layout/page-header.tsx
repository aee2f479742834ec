import type { ReactNode } from 'react'
import { Link } from '@/components/kits/layout/link'
import { buttonVariants } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'

/** As high as a control, so that the title is at the same place with and without controls. */
export const pageTitleClasses =
  'min-w-0 wrap-anywhere py-[calc((var(--control-height)-1.75rem)/2)] font-semibold text-xl'

/** `text` is a readable width, for forms and texts. Both begin at the left edge of the page. */
export const pageClasses = {
  text: 'grid max-w-4xl content-start gap-4',
  wide: 'grid content-start gap-4',
} as const

type PageHeaderProps = {
  title: ReactNode
  meta?: ReactNode
  actions?: ReactNode
  /** The link to the list or record above this page. */
  back?: { href: string; label: string }
  className?: string
}

/** The first element of every page: its title is at the same place everywhere. */
export const PageHeader = ({ title, meta, actions, back, className }: PageHeaderProps) => (
  <header className={cn('flex flex-wrap items-center gap-x-3 gap-y-1 py-2', className)}>
    <h1 className={pageTitleClasses}>{title}</h1>
    {meta && <div className="text-ink-3 text-xs">{meta}</div>}
    {(actions || back) && (
      <div className="ml-auto flex flex-wrap items-center gap-2">
        {actions}
        {back && (
          <Link href={back.href} className={cn(buttonVariants({ size: 'small' }), 'print:hidden')}>
            {back.label}
          </Link>
        )}
      </div>
    )}
  </header>
)
