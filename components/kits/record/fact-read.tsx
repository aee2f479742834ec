import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { Fact as FactOf } from '@/lib/domain/fact'

/** A block that is read on its own: on its way, there, or missing with the reason and a way to try again. */
export function FactRead<T>({ fact, onAgain, children }: { fact: FactOf<T>; onAgain: () => void; children: (value: T) => ReactNode }) {
  if (fact.state === 'known') return children(fact.value)
  if (fact.state === 'loading') return <Skeleton className="h-46" />
  return (
    <p className="flex flex-wrap items-center gap-2 text-ink-2">
      {fact.why}
      {fact.why.startsWith('Could not be read') && (
        <Button size="small" onClick={onAgain}>
          Read again
        </Button>
      )}
    </p>
  )
}
