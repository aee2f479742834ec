'use client'

import { type ComponentType, type ReactNode, Suspense } from 'react'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'
import { cn } from '@/components/ui/cn'
import { useList } from './list-frame'
import { useOpenRow } from './use-open-row'

/** The list to draw and the accounts its rows are known to belong to. */
export type SplitProps = { accounts: Readonly<Record<string, string>>; children: ReactNode }

/** What a record's panel is told when it stands beside a list. */
export type BesideProps = { id: string; knownAccount: string | null; onClose: () => void; onChanged: () => void }

type ListSplitProps = SplitProps & { noun: string; Panel: ComponentType<BesideProps> }

/** The list and, when a row is open, its record beside it: 36 to 64. Under 1024 px the record stands in the list's place. `Panel` is lazy. */
export function ListSplit({ accounts, noun, Panel, children }: ListSplitProps) {
  const { open, close } = useOpenRow()
  const { refresh } = useList()
  return (
    <div className="flex min-h-0 flex-1 border-line border-t">
      <div
        className={cn('@container relative min-w-0 flex-1 lg:overflow-y-auto', open && 'max-lg:hidden lg:min-w-[23.75rem] lg:flex-[36]')}
      >
        {children}
      </div>
      {open && (
        <div className="relative min-w-0 flex-1 border-line bg-bg lg:flex-[64] lg:overflow-y-auto lg:border-l">
          <Suspense fallback={<RecordSkeleton noun={noun} />}>
            <Panel key={open} id={open} knownAccount={accounts[open] ?? null} onClose={close} onChanged={refresh} />
          </Suspense>
        </div>
      )}
    </div>
  )
}
