import { cn } from './cn'

/** Becomes visible after 150 ms. `className` sets the size. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={cn('skeleton block rounded-sm', className)} />
)

const rowKeys = Array.from({ length: 14 }, (_, at) => `row ${at}`)

/** Placeholders for the rows of a list. `className` should set their horizontal padding. */
export const SkeletonRows = ({ className }: { className?: string }) => (
  <div className="border-line border-t">
    {rowKeys.map((row) => (
      <div
        key={row}
        className={cn('flex h-row items-center gap-6 border-line border-b', className)}
      >
        <Skeleton className="h-3 w-24" />
        <Skeleton className="h-3 w-20" />
        <Skeleton className="h-3 w-40" />
        <Skeleton className="h-3 flex-1" />
      </div>
    ))}
  </div>
)
