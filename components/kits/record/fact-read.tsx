import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { Fact as FactOf } from '@/lib/domain/fact'

type FactReadProps<T> = {
  fact: FactOf<T>
  onAgain: () => void
  /** The height it usually comes to, so that what stands below it stays where it is. */
  height?: `h-${number}`
  children: (value: T) => ReactNode
}

/** A block that is read on its own: on its way, there, or missing with the reason and a way to try again. */
export function FactRead<T>({ fact, onAgain, height = 'h-46', children }: FactReadProps<T>) {
  if (fact.state === 'known') return children(fact.value)
  if (fact.state === 'loading') return <Skeleton className={height} />
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
