'use client'

import type { ReactNode } from 'react'
import { Link } from '@/components/kits/layout/link'
import { cn } from '@/components/ui/cn'

type RelatedRecordCardProps = {
  kind: ReactNode
  name: ReactNode
  href?: string
  current?: boolean
  children?: ReactNode
}

export const RelatedRecordCard = ({
  kind,
  name,
  href,
  current = false,
  children,
}: RelatedRecordCardProps) => (
  <div
    aria-current={current || undefined}
    className={cn(
      'grid min-w-32 max-w-56 grow gap-0.5 rounded border px-2 py-1.5 text-sm',
      current ? 'border-accent bg-surface' : 'border-line bg-bg',
    )}
  >
    <span className="text-ink-3 text-xs">
      {kind}
      {current && <span className="font-medium text-ink"> · this one</span>}
    </span>
    <span className="min-w-0 truncate font-medium">
      {href && !current ? (
        <Link href={href} className="text-accent hover:underline">
          {name}
        </Link>
      ) : (
        name
      )}
    </span>
    {children && (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">{children}</span>
    )}
  </div>
)

/** An arrow between two cards. Screen readers skip it, because they read the cards as a list. */
export const RelationArrow = ({ back = false }: { back?: boolean }) => (
  <span aria-hidden="true" className="self-center text-ink-3">
    {back ? '←' : '→'}
  </span>
)
